package io.psych.sandbox.terms;

/**
 * Checks names that are stored and compared.
 */
final class Names {

	private Names() {
	}

	static void check(String what, String name) {
		if (name.isBlank()) {
			throw new IllegalArgumentException(what + " must not be blank");
		}
		// Half of a surrogate pair has no JSON form: two names would be stored as one.
		if (name.codePoints()
			.anyMatch((character) -> Character.isISOControl(character)
					|| Character.getType(character) == Character.SURROGATE)) {
			throw new IllegalArgumentException(what + " must not have a control character or half of a surrogate pair");
		}
	}

}
