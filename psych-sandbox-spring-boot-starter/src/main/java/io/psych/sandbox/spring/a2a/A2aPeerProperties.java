package io.psych.sandbox.spring.a2a;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * An agent whose skills become tools.
 *
 * @param url URL of the agent. Its card is read from ".well-known/agent-card.json" below
 * it, or from the URL itself where that ends in ".json".
 * @param allowedOrigins Origins beside that of the URL which the card may name as the
 * place to call, such as "https://rpc.example.org".
 * @param credential Name of a credential below "psych.sandbox.credentials", or of a bean
 * that is a CredentialResolver. Sent with calls, not when the card is read.
 * @param timeout Time until a skill is done with one call. If a duration suffix is not
 * specified, seconds will be used.
 * @param cardMaxAge Time after which the card is read again, where the agent does not ask
 * for less. If a duration suffix is not specified, seconds will be used.
 * @param maxResponseSize Bytes one answer may have, on the wire and decompressed.
 * @param sslBundle Name of the SSL bundle whose certificates are used.
 * @since 0.1.0
 */
public record A2aPeerProperties(@Nullable String url, @DefaultValue List<String> allowedOrigins,
		@Nullable String credential, @DefaultValue("60s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
		@DefaultValue("60s") @DurationUnit(ChronoUnit.SECONDS) Duration cardMaxAge,
		@DefaultValue("16MB") DataSize maxResponseSize, @Nullable String sslBundle) {

	public A2aPeerProperties {
		allowedOrigins = List.copyOf(allowedOrigins);
	}

}
