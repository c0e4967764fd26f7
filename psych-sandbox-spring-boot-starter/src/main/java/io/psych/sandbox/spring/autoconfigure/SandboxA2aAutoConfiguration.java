package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import io.psych.sandbox.egress.Destination;
import io.psych.sandbox.egress.EgressRule;
import io.psych.sandbox.spring.a2a.A2aPeerProperties;
import io.psych.sandbox.spring.a2a.A2aTools;
import io.psych.sandbox.spring.http.CredentialResolver;
import io.psych.sandbox.spring.http.EgressContributor;
import io.psych.sandbox.spring.http.EgressHttpClient;
import io.psych.sandbox.tool.HostTool;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.unit.DataSize;

/**
 * {@link AutoConfiguration Auto-configuration} for A2A peers: the skills of other agents
 * become tools.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = SandboxHttpAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
public final class SandboxA2aAutoConfiguration {

	private static final String CLIENT = "org.apache.hc.client5.http.impl.classic.HttpClients";

	/** An answer is held in memory, as bytes and as a value. */
	private static final DataSize MOST_RESPONSE = DataSize.ofMegabytes(256);

	@Bean
	EgressContributor psychSandboxA2aEgress(SandboxProperties properties) {
		return () -> {
			List<EgressRule> rules = new ArrayList<>();
			properties.tools().a2a().forEach((name, peer) -> {
				check(name, peer);
				rules.addAll(A2aTools.rules(peer));
			});
			return rules;
		};
	}

	private static Destination check(String name, A2aPeerProperties peer) {
		if (!name.matches("[A-Za-z][A-Za-z0-9_-]{0,63}")) {
			throw new InvalidPropertyException(property(name, "url"), String.valueOf(peer.url()),
					"but the name of the peer becomes that of tools, and is not one of letters, digits, dashes and"
							+ " underscores",
					"Rename the peer.");
		}
		Destination origin = origin(property(name, "url"), String.valueOf(peer.url()));
		peer.allowedOrigins().forEach((allowed) -> origin(property(name, "allowed-origins"), allowed));
		if (peer.timeout().isNegative() || peer.timeout().isZero()) {
			throw new InvalidPropertyException(property(name, "timeout"), peer.timeout().toString(),
					"which leaves no time for any answer", "Set it to 1s or more.");
		}
		if (peer.cardMaxAge().isNegative()) {
			throw new InvalidPropertyException(property(name, "card-max-age"), peer.cardMaxAge().toString(),
					"which is before the card is read", "Set it to 0s or more.");
		}
		if (peer.maxResponseSize().toBytes() < 1 || peer.maxResponseSize().compareTo(MOST_RESPONSE) > 0) {
			throw new InvalidPropertyException(property(name, "max-response-size"), peer.maxResponseSize().toString(),
					"which is nothing at all, or more than is held in memory", "Set it to a size from 1B to 256MB.");
		}
		return origin;
	}

	private static Destination origin(String property, String url) {
		try {
			return A2aTools.origin(url);
		}
		catch (IllegalArgumentException ex) {
			// User info may be a secret.
			String shown = url.contains("@") ? CredentialProperties.HIDDEN : url;
			throw new InvalidPropertyException(property, shown, "which " + ex.getMessage(),
					"Set it to an absolute URL such as https://agent.example.org.");
		}
	}

	private static String property(String peer, String name) {
		return SandboxProperties.PREFIX + ".tools.a2a." + peer + "." + name;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = CLIENT)
	static final class PeersConfiguration {

		@Bean
		@Lazy(false)
		A2aTools psychSandboxA2aTools(EgressHttpClient client, SandboxProperties properties, BeanFactory beans,
				ObjectProvider<SslBundles> bundles) {
			A2aTools tools = new A2aTools(client);
			properties.tools().a2a().forEach((name, peer) -> {
				Destination origin = check(name, peer);
				checkBundle(name, peer, bundles.getIfAvailable());
				tools.add(name, peer, credential(name, peer, origin, properties, beans));
			});
			return tools;
		}

		// Behind all tools that can't be named otherwise.
		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE - 100)
		ToolSource psychSandboxA2aToolSource(A2aTools tools) {
			return new A2aToolSource(tools);
		}

		private static @Nullable CredentialResolver credential(String name, A2aPeerProperties peer, Destination origin,
				SandboxProperties properties, BeanFactory beans) {
			if (peer.credential() == null) {
				return null;
			}
			String property = property(name, "credential");
			CredentialResolver resolver = SandboxHttpAutoConfiguration.HttpClientConfiguration.credential(properties,
					beans, peer.credential());
			if (resolver == null) {
				throw new InvalidPropertyException(property, peer.credential(), "which names no credential there is",
						"Declare psych.sandbox.credentials." + peer.credential()
								+ ".value, or a bean of that name that is a CredentialResolver.");
			}
			CredentialProperties declared = properties.credentials().get(peer.credential());
			boolean staysHere = origin.host().equals("localhost")
					|| (origin.address() != null && origin.address().isLoopbackAddress());
			if (declared != null && !declared.allowPlaintext() && !origin.isSecure() && !staysHere) {
				throw new InvalidPropertyException(property, peer.credential(),
						"which would be sent without encryption to " + origin,
						"Use https, or set psych.sandbox.credentials." + peer.credential()
								+ ".allow-plaintext to true where the network in between is trusted.");
			}
			return resolver;
		}

		private static void checkBundle(String name, A2aPeerProperties peer, @Nullable SslBundles bundles) {
			String bundle = peer.sslBundle();
			if (bundle != null && (bundles == null || !bundles.getBundleNames().contains(bundle))) {
				throw new InvalidPropertyException(property(name, "ssl-bundle"), bundle,
						"which names no SSL bundle there is",
						"Declare it below spring.ssl.bundle, or remove the property.");
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnMissingClass(CLIENT)
	static final class NoHttpClientConfiguration {

		@Bean
		@Lazy(false)
		ToolSource psychSandboxA2aToolSource(SandboxProperties properties) {
			properties.tools().a2a().forEach((name, peer) -> {
				throw new InvalidPropertyException(property(name, "url"), String.valueOf(peer.url()),
						"but A2A peers need Apache HttpClient, which is not on the classpath",
						"Add org.apache.httpcomponents.client5:httpclient5 to the dependencies, or remove the peer.");
			});
			return new A2aToolSource(null);
		}

	}

	/**
	 * The skills of A2A peers.
	 *
	 * @param a2a looks them up, or {@code null} when there can't be any
	 */
	private record A2aToolSource(@Nullable A2aTools a2a) implements ToolSource {

		@Override
		public List<HostTool> tools() {
			return tools(Set.of());
		}

		@Override
		public List<HostTool> tools(Set<String> taken) {
			return (this.a2a != null) ? this.a2a.tools(taken) : List.of();
		}

		@Override
		public List<HostTool> localTools() {
			return List.of();
		}

	}

}
