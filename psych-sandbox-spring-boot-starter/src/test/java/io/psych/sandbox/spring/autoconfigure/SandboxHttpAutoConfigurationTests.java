package io.psych.sandbox.spring.autoconfigure;

import java.net.InetAddress;
import java.net.URI;
import java.util.List;

import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.spring.http.CredentialResolver;
import io.psych.sandbox.spring.http.EgressContributor;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCatalog;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link SandboxHttpAutoConfiguration}.
 */
class SandboxHttpAutoConfigurationTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxHttpAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.backend=process");

	private final ApplicationContextRunner withTool = this.runner.withPropertyValues(
			"psych.sandbox.tools.http.get_order.description=One order.",
			"psych.sandbox.tools.http.get_order.url=https://orders.test:8443/orders/{id}",
			"psych.sandbox.tools.http.get_order.input-schema="
					+ "{type: object, properties: {id: {type: string}}, required: [id]}");

	@Test
	void runWithoutPropertiesAllowsNothing() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(Egress.class).hasSingleBean(EgressHttpClient.class);
			assertDenied(context.getBean(Egress.class), "https://orders.test");
			assertThat(context.getBean(ToolCatalog.class).tools()).isEmpty();
		});
	}

	@Test
	void runWithToolOffersItAndAllowsItsOriginAlone() {
		this.withTool.run((context) -> {
			assertThat(context.getBean(ToolCatalog.class).tools()).extracting(HostTool::name)
				.containsExactly("get_order");
			Egress egress = context.getBean(Egress.class);
			assertThatNoException().isThrownBy(() -> egress.check(URI.create("https://orders.test:8443/other")));
			assertDenied(egress, "https://orders.test");
			assertDenied(egress, "http://orders.test:8443");
			assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(
					() -> egress.check(URI.create("https://orders.test:8443"), InetAddress.getByName("10.0.0.1")));
		});
	}

	@Test
	void toolsExcludeHoldsForHttpTools() {
		this.withTool.withPropertyValues("psych.sandbox.tools.exclude=get_*")
			.run((context) -> assertThat(context.getBean(ToolCatalog.class).tools()).isEmpty());
	}

	@Test
	void runWithEntriesAllowsThemInBothForms() {
		this.runner
			.withPropertyValues("psych.sandbox.egress.allow[0]=*.example.org",
					"psych.sandbox.egress.allow[1].destination=http://billing.test:8080",
					"psych.sandbox.egress.allow[1].allowed-addresses=10.1.0.0/16,127.0.0.1")
			.run((context) -> {
				Egress egress = context.getBean(Egress.class);
				assertThatNoException().isThrownBy(() -> egress.check(URI.create("https://api.example.org")));
				for (String address : List.of("10.1.2.3", "127.0.0.1")) {
					assertThatNoException().isThrownBy(
							() -> egress.check(URI.create("http://billing.test:8080"), InetAddress.getByName(address)));
					assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(
							() -> egress.check(URI.create("https://api.example.org"), InetAddress.getByName(address)));
				}
			});
	}

	@Test
	void runWithShortListAllowsIt() {
		this.runner.withPropertyValues("psych.sandbox.egress.allow=https://a.test,http://b.test:*").run((context) -> {
			Egress egress = context.getBean(Egress.class);
			assertThatNoException().isThrownBy(() -> egress.check(URI.create("https://a.test")));
			assertThatNoException().isThrownBy(() -> egress.check(URI.create("http://b.test:99")));
		});
	}

	@Test
	void runWithContributorAllowsWhatItNames() {
		this.runner.withBean(EgressContributor.class, () -> () -> List.of(EgressRule.parse("https://peer.test")))
			.run((context) -> assertThatNoException()
				.isThrownBy(() -> context.getBean(Egress.class).check(URI.create("https://peer.test"))));
	}

	@Test
	void runWhenApplicationHasEgressBacksOff() {
		Egress own = new EgressRules(List.of());
		this.withTool.withBean(Egress.class, () -> own)
			.run((context) -> assertThat(context.getBean(Egress.class)).isSameAs(own));
	}

	@Test
	void runWithoutHttpClientHasEgressAlone() {
		this.runner.withClassLoader(new FilteredClassLoader("org.apache.hc")).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(Egress.class).doesNotHaveBean(EgressHttpClient.class);
			assertThat(context.getBean(ToolCatalog.class).tools()).isEmpty();
		});
	}

	@Test
	void runWithToolAndWithoutHttpClientFails() {
		this.withTool.withClassLoader(new FilteredClassLoader("org.apache.hc"))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidPropertyException.class, (ex) -> {
					assertThat(ex.property()).isEqualTo("psych.sandbox.tools.http.get_order.url");
					assertThat(ex.fix()).contains("org.apache.httpcomponents.client5:httpclient5");
				}));
	}

	@Test
	void runWhenDisabledHasNothing() {
		this.withTool.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(Egress.class)
				.doesNotHaveBean(EgressHttpClient.class));
	}

	@Test
	void credentialIsAPropertyOrABean() {
		this.withTool
			.withPropertyValues("psych.sandbox.credentials.orders.value=Bearer x",
					"psych.sandbox.tools.http.get_order.credential=orders")
			.run((context) -> assertThat(context).hasNotFailed());
		this.withTool.withPropertyValues("psych.sandbox.tools.http.get_order.credential=orders")
			.withBean("orders", CredentialResolver.class, () -> CredentialResolver.of(Credential.bearer("x")))
			.run((context) -> assertThat(context).hasNotFailed());
		this.withTool.withPropertyValues("psych.sandbox.tools.http.get_order.credential=orders")
			.withBean("orders", String.class, () -> "x")
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("names no credential"));
	}

	@Test
	void credentialThatIsBothFails() {
		this.withTool
			.withPropertyValues("psych.sandbox.credentials.orders.value=Bearer x",
					"psych.sandbox.tools.http.get_order.credential=orders")
			.withBean("orders", CredentialResolver.class, () -> CredentialResolver.of(Credential.bearer("x")))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining("Rename one of them."));
	}

	private static void assertDenied(Egress egress, String url) {
		assertThatExceptionOfType(EgressDeniedException.class).isThrownBy(() -> egress.check(URI.create(url)));
	}

}
