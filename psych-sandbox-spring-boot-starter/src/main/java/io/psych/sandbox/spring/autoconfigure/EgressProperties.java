package io.psych.sandbox.spring.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

import io.psych.sandbox.egress.AddressRange;
import io.psych.sandbox.egress.EgressRule;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Where the tools of the host may connect to. The addresses of tools that are declared
 * below "psych.sandbox" are allowed by that.
 *
 * @param allow Destinations that are allowed, such as "https://api.example.org",
 * "*.example.org" or "http://10.1.2.3:8080". Each one alone, or with the addresses it may
 * have although they are not public.
 * @param proxy HTTP proxy that all destinations are reached through, such as
 * "http://proxy.example.org:3128". Those of the system properties of the JVM when not
 * set.
 * @param connectTimeout Time to connect to one address. If a duration suffix is not
 * specified, seconds will be used.
 * @since 0.1.0
 */
public record EgressProperties(@DefaultValue List<Allowed> allow, @Nullable URI proxy,
		@DefaultValue("5s") @DurationUnit(ChronoUnit.SECONDS) Duration connectTimeout) {

	static final String PREFIX = SandboxProperties.PREFIX + ".egress";

	public EgressProperties {
		allow = List.copyOf(allow);
		for (int i = 0; i < allow.size(); i++) {
			rule(allow.get(i), PREFIX + ".allow[" + i + "]");
		}
		if (proxy != null) {
			checkProxy(proxy);
		}
		if (connectTimeout.isNegative() || connectTimeout.isZero()) {
			throw new InvalidPropertyException(PREFIX + ".connect-timeout", connectTimeout.toString(),
					"but must be positive", "Set it to 1s or more.");
		}
	}

	/**
	 * Return what is allowed.
	 * @return the rules
	 */
	List<EgressRule> rules() {
		return this.allow.stream().map((allowed) -> rule(allowed, PREFIX + ".allow")).toList();
	}

	private static EgressRule rule(Allowed allowed, String property) {
		String shown = allowed.destination().contains("@") ? CredentialProperties.HIDDEN : allowed.destination();
		EgressRule rule = parsed(property, shown,
				"Set it to a destination such as https://api.example.org, *.example.org or http://10.1.2.3:8080.",
				() -> EgressRule.parse(allowed.destination()));
		return rule.withAddresses(allowed.allowedAddresses()
			.stream()
			.map((range) -> parsed(property + ".allowed-addresses", range,
					"Set it to addresses or ranges that are not public, such as 10.1.2.3 or 10.0.0.0/8.",
					() -> AddressRange.parse(range)))
			.toList());
	}

	private static <T> T parsed(String property, String value, String fix, Supplier<T> parser) {
		try {
			return parser.get();
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPropertyException(property, value, String.valueOf(ex.getMessage()), fix);
		}
	}

	private static void checkProxy(URI proxy) {
		boolean isPlain = "http".equalsIgnoreCase(proxy.getScheme()) && proxy.getHost() != null && proxy.getPort() > 0
				&& proxy.getRawUserInfo() == null && proxy.getRawQuery() == null;
		if (!isPlain) {
			throw new InvalidPropertyException(PREFIX + ".proxy",
					(proxy.getRawUserInfo() != null) ? CredentialProperties.HIDDEN : proxy.toString(),
					"which is not http, a host and a port alone; a proxy that asks for a password, or is reached"
							+ " encrypted, is not supported",
					"Set it to a URL such as http://proxy.example.org:3128.");
		}
	}

	/**
	 * A destination that is allowed.
	 *
	 * @param destination Scheme, host and port. Without a scheme it is https, without a
	 * port that of the scheme; an asterisk stands for the first labels of a host, or for
	 * any port.
	 * @param allowedAddresses Addresses it may have although they are not public, such as
	 * "10.0.0.0/8" or "127.0.0.1".
	 */
	public record Allowed(String destination, @DefaultValue List<String> allowedAddresses) {

		public Allowed {
			allowedAddresses = List.copyOf(allowedAddresses);
		}

		/**
		 * Return a destination of public addresses: the short form, one text.
		 * @param destination the destination
		 * @return the destination
		 */
		public static Allowed of(String destination) {
			return new Allowed(destination, List.of());
		}

	}

}
