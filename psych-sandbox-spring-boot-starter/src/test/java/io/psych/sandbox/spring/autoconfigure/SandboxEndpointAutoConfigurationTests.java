package io.psych.sandbox.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.jackson.JacksonEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementContextAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxEndpointAutoConfiguration} over HTTP, with the real backends of
 * this host.
 */
class SandboxEndpointAutoConfigurationTests {

	private final WebApplicationContextRunner hidden = new WebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxBlobAutoConfiguration.class,
				SandboxEndpointAutoConfiguration.class, EndpointAutoConfiguration.class,
				JacksonEndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class,
				ManagementContextAutoConfiguration.class, DispatcherServletAutoConfiguration.class,
				WebMvcAutoConfiguration.class, JacksonAutoConfiguration.class,
				HttpMessageConvertersAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES);

	private final WebApplicationContextRunner runner = this.hidden
		.withPropertyValues("management.endpoints.web.exposure.include=sandbox");

	@Test
	void endpointTellsWhatTheSandboxIsConfiguredToAndHowItIsDoing() {
		this.runner
			.withPropertyValues("psych.sandbox.profiles.batch.wall-time=5m", "psych.sandbox.specs.orders.profile=batch",
					"psych.sandbox.require.guarantees=wall-clock", "psych.sandbox.pool.size=0",
					"psych.sandbox.tools.capabilities.ask=asks-a-person")
			.withBean("one", FixedTool.class, () -> new FixedTool("one", (arguments) -> arguments))
			.withBean("ask", FixedTool.class, () -> new FixedTool("ask", (arguments) -> arguments))
			.run((context) -> {
				Sandbox sandbox = context.getBean(Sandbox.class);
				sandbox.run(RunRequest.of("1"));
				Map<?, ?> all = get(context);
				assertThat(keys(all)).containsExactly("versions", "backend", "level", "guarantees", "require", "unmet",
						"backends", "limits", "profiles", "specs", "pool", "admission", "tools", "runLog", "blobs");
				assertThat(keys(all.get("versions"))).containsExactly("sandbox", "protocol", "python", "packages");
				assertThat(at(all, "versions", "python")).isEqualTo(sandbox.pythonVersion());
				assertThat(all.get("backend")).isEqualTo(sandbox.selection().chosen());
				assertThat(all.get("level")).isEqualTo(sandbox.isolation().level().id());
				assertThat(keys(all.get("guarantees")))
					.containsExactlyElementsOf(Stream.of(Guarantee.values()).map(Guarantee::id).toList());
				assertThat(keys(at(all, "guarantees", "network"))).containsExactly("grade", "evidence");
				assertThat(all.get("require"))
					.isEqualTo(Map.of("level", "process", "guarantees", List.of("wall-clock")));
				assertThat((List<?>) all.get("unmet")).isEmpty();
				assertThat((List<?>) all.get("backends")).allSatisfy((backend) -> assertThat(keys(backend))
					.containsExactly("name", "usable", "reason", "remedy", "level"));
				assertThat(keys(all.get("limits"))).contains("cpu", "wallTime", "addressSpace", "calls", "artifacts");
				assertThat(at(all, "limits", "wallTime")).isEqualTo("PT30S");
				assertThat(at(all, "limits", "calls", "perExecution")).isEqualTo(1000L);
				assertThat(keys(all.get("profiles"))).containsExactly("batch");
				assertThat(at(all, "profiles", "batch", "wallTime")).isEqualTo("PT5M");
				assertThat(all.get("specs")).isEqualTo(Map.of("orders", sandbox.spec("orders").digest()));
				assertThat(all.get("pool")).isEqualTo(
						Map.of("size", 0L, "waiting", 0L, "taken", 0L, "missed", 0L, "expired", 0L, "failed", 0L));
				assertThat(all.get("admission"))
					.isEqualTo(Map.of("max", 64L, "running", 0L, "waiting", 0L, "refused", 0L));
				List<?> tools = (List<?>) all.get("tools");
				assertThat(tools).hasSize(2)
					.allSatisfy((tool) -> assertThat(keys(tool)).containsExactly("name", "origin", "reach", "why"));
				assertThat(tools.toString()).contains("name=one,", "reach=function, why=null", "name=ask,",
						"reach=direct_only, why=asks-a-person");
				assertThat(all.get("runLog")).isEqualTo("in memory, they end with this JVM");
				assertThat(all.get("blobs")).isNull();
			});
	}

	@Test
	void endpointShowsNoSecretOfTheConfiguration() {
		this.runner.withConfiguration(AutoConfigurations.of(SandboxHttpAutoConfiguration.class))
			.withPropertyValues("psych.sandbox.backend=process", "psych.sandbox.credentials.shop.value=s3cr3t",
					"psych.sandbox.tools.http.order.url=https://shop.example.org/{id}",
					"psych.sandbox.tools.http.order.description=Order.",
					"psych.sandbox.tools.http.order.credential=shop",
					"psych.sandbox.tools.http.order.input-schema={\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"string\"}},\"required\":[\"id\"]}")
			.run((context) -> {
				Map<?, ?> all = get(context);
				assertThat(all.toString()).contains("order").doesNotContain("s3cr3t");
			});
	}

	@Test
	void endpointNamesBackendsThatWereNotTakenAndWhatToDo() {
		this.runner.withPropertyValues("psych.sandbox.bubblewrap.executable=/no/such/bwrap").run((context) -> {
			Map<?, ?> all = get(context);
			assertThat(all.get("backend")).isEqualTo("process");
			Map<?, ?> bubblewrap = (Map<?, ?>) ((List<?>) all.get("backends")).get(0);
			assertThat(bubblewrap.get("name")).isEqualTo("bubblewrap");
			assertThat(bubblewrap.get("usable")).isEqualTo(false);
			assertThat((String) bubblewrap.get("reason")).contains("/no/such/bwrap");
			assertThat((String) bubblewrap.get("remedy")).isNotBlank();
		});
	}

	@Test
	void endpointWithoutUsableBackendSaysWhy() {
		this.runner
			.withPropertyValues("psych.sandbox.backend=bubblewrap",
					"psych.sandbox.bubblewrap.executable=/no/such/bwrap")
			.run((context) -> {
				Map<?, ?> all = get(context);
				assertThat(keys(all)).containsExactly("versions", "backend", "backends", "tools", "runLog", "blobs");
				assertThat(all.get("backend")).isNull();
				assertThat(all.get("backends").toString()).contains("/no/such/bwrap");
			});
	}

	@Test
	void endpointWhenToolsCanNotBeListedTellsTheRest() {
		AtomicBoolean away = new AtomicBoolean();
		ToolCatalog remote = () -> {
			if (away.get()) {
				throw new IllegalStateException("the other host is away");
			}
			return List.of();
		};
		this.runner.withPropertyValues("psych.sandbox.backend=process")
			.withBean(ToolCatalog.class, () -> remote)
			.run((context) -> {
				assertThat((List<?>) get(context).get("tools")).isEmpty();
				away.set(true);
				Map<?, ?> all = get(context);
				assertThat((String) at(all, "tools", "problem")).contains("the other host is away");
				assertThat(all.get("level")).isEqualTo("process");
			});
	}

	@Test
	void endpointIsNotThereUnlessItIsExposed() {
		this.hidden.withPropertyValues("psych.sandbox.backend=process").run((context) -> {
			assertThat(context).doesNotHaveBean(SandboxEndpoint.class);
			assertThat(response(context).getStatus()).isEqualTo(404);
		});
	}

	@Test
	void endpointIsNotThereWhereItsAccessIsNone() {
		this.runner.withPropertyValues("psych.sandbox.backend=process", "management.endpoint.sandbox.access=NONE")
			.run((context) -> assertThat(context).doesNotHaveBean(SandboxEndpoint.class));
	}

	@Test
	void endpointIsNotThereWhenSandboxIsDisabled() {
		this.runner.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SandboxEndpoint.class));
	}

	@Test
	void runWithoutActuatorOnClasspathHasNoEndpoint() {
		ApplicationContextRunner imported = new ApplicationContextRunner()
			.withUserConfiguration(ImportingConfiguration.class)
			.withPropertyValues(TestHost.PROPERTIES)
			.withPropertyValues("psych.sandbox.backend=process", "management.endpoints.web.exposure.include=sandbox");
		imported.run((context) -> assertThat(context).hasBean("psychSandboxEndpoint"));
		imported.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Sandbox.class)
				.doesNotHaveBean("psychSandboxEndpoint"));
	}

	private static Map<?, ?> get(AssertableWebApplicationContext context) throws Exception {
		MockHttpServletResponse response = response(context);
		assertThat(response.getStatus()).isEqualTo(200);
		return JsonValue.parse(response.getContentAsString()).members();
	}

	private static MockHttpServletResponse response(AssertableWebApplicationContext context) throws Exception {
		MockMvc http = MockMvcBuilders.webAppContextSetup(context).build();
		return http.perform(MockMvcRequestBuilders.get("/actuator/sandbox")).andReturn().getResponse();
	}

	private static List<String> keys(Object object) {
		return ((Map<?, ?>) object).keySet().stream().map(String::valueOf).toList();
	}

	private static Object at(Map<?, ?> object, String... path) {
		Object value = object;
		for (String name : path) {
			value = ((Map<?, ?>) value).get(name);
		}
		return value;
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SandboxAutoConfiguration.class, SandboxEndpointAutoConfiguration.class })
	static class ImportingConfiguration {

	}

}
