package io.psych.sandbox.spring.http;

/**
 * What proves to a service who calls: one header of a request. Its value is in no
 * message, no log and no record. It is sent to the origin the call was made to and to no
 * other, and not without encryption unless that is allowed.
 *
 * @since 0.1.0
 */
public final class Credential {

	private final String header;

	private final String value;

	private final boolean plaintextAllowed;

	private Credential(String header, String value, boolean plaintextAllowed) {
		this.header = header;
		this.value = value;
		this.plaintextAllowed = plaintextAllowed;
	}

	/**
	 * Return a credential.
	 * @param header the name of the header, such as {@code Authorization}
	 * @param value its value, such as {@code Bearer} and a token
	 * @return the credential
	 * @throws IllegalArgumentException if they can't be sent as a header
	 */
	public static Credential of(String header, String value) {
		String problem = HttpFields.problemOfName(header);
		if (problem == null && HttpFields.isReserved(header)) {
			problem = "is set by the client itself";
		}
		if (problem != null) {
			throw new IllegalArgumentException("The header of a credential " + problem + ": " + header);
		}
		// The value itself must not be in the message.
		if (value.isBlank() || !HttpFields.isValue(value)) {
			throw new IllegalArgumentException(
					"The value of a credential is blank, or holds something else than visible ASCII characters");
		}
		return new Credential(header, value.strip(), false);
	}

	/**
	 * Return a token of OAuth 2.0.
	 * @param token the token
	 * @return the credential
	 */
	public static Credential bearer(String token) {
		return of("Authorization", "Bearer " + token);
	}

	/**
	 * Return this credential, which may also be sent without encryption.
	 * @return the credential
	 */
	public Credential allowPlaintext() {
		return new Credential(this.header, this.value, true);
	}

	String header() {
		return this.header;
	}

	String value() {
		return this.value;
	}

	boolean isPlaintextAllowed() {
		return this.plaintextAllowed;
	}

	/**
	 * Return a text with the credential taken out: a service that shows a request back
	 * must not bring it into a message.
	 * @param text the text
	 * @return the text without it
	 */
	public String takenOutOf(String text) {
		String secret = this.value.substring(this.value.lastIndexOf(' ') + 1);
		return text.replace(this.value, "[credential]").replace(secret, "[credential]");
	}

	@Override
	public String toString() {
		return "Credential[" + this.header + "]";
	}

}
