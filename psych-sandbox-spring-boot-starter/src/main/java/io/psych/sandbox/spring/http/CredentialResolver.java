package io.psych.sandbox.spring.http;

import java.net.URI;

import io.psych.sandbox.contract.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Finds the credential of one request. Asked for each request anew, by many threads at
 * once, in the thread and with the context of the caller. A bean of this type is named by
 * a tool's {@code credential} property.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CredentialResolver {

	/**
	 * Return the credential.
	 * @param scope on whose behalf the request is made
	 * @param destination where it goes
	 * @return the credential, or {@code null} when there is none for this scope: the
	 * request is not made then
	 */
	@Nullable Credential resolve(Scope scope, URI destination);

	/**
	 * Return a resolver that knows one credential.
	 * @param credential the credential of everybody
	 * @return the resolver
	 */
	static CredentialResolver of(Credential credential) {
		return new FixedCredential(credential);
	}

}
