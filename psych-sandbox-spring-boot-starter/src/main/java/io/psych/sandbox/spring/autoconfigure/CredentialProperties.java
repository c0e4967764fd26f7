package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.spring.http.Credential;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * A header that proves to a service who calls.
 *
 * @param header Name of the header.
 * @param value Value of the header, best taken from outside of the configuration, such as
 * "Bearer ${ORDERS_TOKEN}".
 * @param allowPlaintext Whether the header may be sent without encryption to another
 * host.
 * @since 0.1.0
 */
public record CredentialProperties(@DefaultValue("Authorization") String header, @Nullable String value,
		boolean allowPlaintext) {

	/** What is shown in place of a secret. */
	static final String HIDDEN = "******";

	/**
	 * Return the credential.
	 * @param name its name, for messages
	 * @return the credential
	 */
	Credential toCredential(String name) {
		String property = SandboxProperties.PREFIX + ".credentials." + name;
		if (!StringUtils.hasText(this.value)) {
			throw new InvalidPropertyException(property + ".value", "not set", "and so proves nothing",
					"Set it to the value of the header, such as \"Bearer ${ORDERS_TOKEN}\".");
		}
		if (this.value.contains("${")) {
			throw new InvalidPropertyException(property + ".value", HIDDEN,
					"which names a variable or property that there is not",
					"Define it in the environment of the service.");
		}
		try {
			Credential credential = Credential.of(this.header, this.value);
			return this.allowPlaintext ? credential.allowPlaintext() : credential;
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidPropertyException(property, HIDDEN, "which can't be sent. " + ex.getMessage(),
					"Set header to the name of a header and value to visible ASCII characters.");
		}
	}

	@Override
	public String toString() {
		return "CredentialProperties[" + this.header + "]";
	}

}
