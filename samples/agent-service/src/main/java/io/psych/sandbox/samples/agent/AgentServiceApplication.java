package io.psych.sandbox.samples.agent;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * The service. There is no code here that knows the sandbox is on: the starter does the
 * rest.
 */
@SpringBootApplication(proxyBeanMethods = false)
public final class AgentServiceApplication {

	private AgentServiceApplication() {
	}

	/**
	 * Start the service.
	 * @param arguments properties such as {@code --psych.sandbox.backend=process}
	 */
	public static void main(String[] arguments) {
		SpringApplication.run(AgentServiceApplication.class, arguments);
	}

}
