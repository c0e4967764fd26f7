package io.psych.sandbox.samples.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a client that does not wait for its answer.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}")
class DepartedClientTests {

	@LocalServerPort
	private int port;

	@Autowired
	private EndlessTool tool;

	@Test
	void executeWhenClientLeavesStopsTheCallItsProgramIsIn() throws IOException, InterruptedException {
		try (Socket client = new Socket(InetAddress.getLoopbackAddress(), this.port)) {
			send(client.getOutputStream(), "{\"program\": \"await endless()\"}");
			assertThat(this.tool.entered.await(60, TimeUnit.SECONDS)).as("the tool was called").isTrue();
		}
		assertThat(this.tool.interrupted.await(60, TimeUnit.SECONDS)).as("the call was interrupted").isTrue();
	}

	private void send(OutputStream server, String body) throws IOException {
		String request = "POST /api/executions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
				+ "Content-Length: " + body.length() + "\r\n\r\n" + body;
		server.write(request.getBytes(StandardCharsets.US_ASCII));
		server.flush();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Tools {

		@Bean
		EndlessTool endlessTool() {
			return new EndlessTool();
		}

	}

	static class EndlessTool {

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch interrupted = new CountDownLatch(1);

		@Tool(name = "endless", description = "Does not return by itself.")
		void endless() throws InterruptedException {
			this.entered.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				this.interrupted.countDown();
				throw ex;
			}
		}

	}

}
