package io.psych.sandbox.spring.autoconfigure;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.egress.EgressRules;
import io.psych.sandbox.spring.http.CredentialResolver;
import io.psych.sandbox.spring.http.EgressContributor;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.spring.http.HttpToolException;
import io.psych.sandbox.spring.http.HttpTools;
import io.psych.sandbox.tool.HostTool;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.io.ResourceLoader;

/**
 * {@link AutoConfiguration Auto-configuration} for the way out: the {@link Egress} that
 * decides on every destination, the {@link EgressHttpClient} that holds to it, and the
 * HTTP tools that are declared in configuration.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxHttpAutoConfiguration {

	private static final String CLIENT = "org.apache.hc.client5.http.impl.classic.HttpClients";

	@Bean
	EgressContributor psychSandboxHttpToolEgress(SandboxProperties properties) {
		return () -> {
			try {
				return HttpTools.rules(properties.tools().http());
			}
			catch (HttpToolException ex) {
				throw InvalidPropertyException.of(ex);
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean
	Egress psychSandboxEgress(SandboxProperties properties, ObjectProvider<EgressContributor> contributors) {
		List<EgressRule> rules = new ArrayList<>(properties.egress().rules());
		contributors.orderedStream().forEach((contributor) -> rules.addAll(contributor.rules()));
		return new EgressRules(rules);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = CLIENT)
	static final class HttpClientConfiguration {

		@Bean
		@ConditionalOnMissingBean
		EgressHttpClient psychSandboxHttpClient(Egress egress, SandboxProperties properties,
				ObjectProvider<SslBundles> bundles) {
			URI proxy = properties.egress().proxy();
			return new EgressHttpClient(egress, (proxy != null) ? new OneProxy(proxy) : systemProxies(),
					bundles.getIfAvailable(), properties.egress().connectTimeout());
		}

		@Bean
		@Lazy(false)
		ToolSource psychSandboxHttpTools(Egress egress, EgressHttpClient client, SandboxProperties properties,
				ResourceLoader resources, BeanFactory beans, ObjectProvider<SslBundles> bundles) {
			HttpTools tools = new HttpTools(egress, client, resources, (name) -> credential(properties, beans, name),
					bundles.getIfAvailable());
			try {
				return new FixedTools(tools.create(properties.tools().http()));
			}
			catch (HttpToolException ex) {
				throw InvalidPropertyException.of(ex);
			}
		}

		static @Nullable CredentialResolver credential(SandboxProperties properties, BeanFactory beans, String name) {
			CredentialProperties declared = properties.credentials().get(name);
			boolean isBean = beans.containsBean(name) && beans.isTypeMatch(name, CredentialResolver.class);
			if (declared != null && isBean) {
				throw new InvalidPropertyException(SandboxProperties.PREFIX + ".credentials." + name + ".header",
						declared.header(), "but there is also a bean of that name that is a CredentialResolver",
						"Rename one of them.");
			}
			if (declared != null) {
				return CredentialResolver.of(declared.toCredential(name));
			}
			return isBean ? beans.getBean(name, CredentialResolver.class) : null;
		}

		private static ProxySelector systemProxies() {
			ProxySelector selector = ProxySelector.getDefault();
			return (selector != null) ? selector : ProxySelector.of(null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(CLIENT)
	static final class NoHttpClientConfiguration {

		@Bean
		@Lazy(false)
		ToolSource psychSandboxHttpTools(SandboxProperties properties) {
			properties.tools().http().forEach((name, tool) -> {
				throw new InvalidPropertyException(SandboxProperties.PREFIX + ".tools.http." + name + ".url",
						String.valueOf(tool.url()),
						"but HTTP tools need Apache HttpClient, which is not on the classpath",
						"Add org.apache.httpcomponents.client5:httpclient5 to the dependencies, or remove the tool.");
			});
			return new FixedTools(List.of());
		}

	}

	/**
	 * Tools that do not change while the application runs.
	 *
	 * @param tools the tools
	 */
	private record FixedTools(List<HostTool> tools) implements ToolSource {

		@Override
		public List<HostTool> localTools() {
			return this.tools;
		}

	}

	/**
	 * One proxy for all destinations.
	 */
	private static final class OneProxy extends ProxySelector {

		private final List<Proxy> proxies;

		OneProxy(URI proxy) {
			this.proxies = List
				.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(proxy.getHost(), proxy.getPort())));
		}

		@Override
		public List<Proxy> select(URI uri) {
			return this.proxies;
		}

		@Override
		public void connectFailed(URI uri, SocketAddress address, IOException ex) {
			// There is no other one to choose.
		}

	}

}
