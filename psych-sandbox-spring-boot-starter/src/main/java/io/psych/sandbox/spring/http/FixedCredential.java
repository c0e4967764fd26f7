package io.psych.sandbox.spring.http;

import java.net.URI;

import io.psych.sandbox.contract.Scope;

/**
 * The same credential for everybody, which can be looked at before there is a request.
 *
 * @param credential the credential
 */
record FixedCredential(Credential credential) implements CredentialResolver {

	@Override
	public Credential resolve(Scope scope, URI destination) {
		return this.credential;
	}

}
