package io.psych.sandbox.contract;

import io.psych.sandbox.json.JsonValue;

/**
 * What a call came to. Which of the two it is stands on the type, never inside the value.
 *
 * @since 0.1.0
 */
public sealed interface CallOutcome {

	/**
	 * The tool's whole result.
	 *
	 * @param value the result
	 */
	record Value(JsonValue value) implements CallOutcome {

	}

	/**
	 * No result, and why.
	 *
	 * @param kind the kind, for the program to branch on
	 * @param message what happened, for the program's author
	 */
	record Failed(ToolFailureKind kind, String message) implements CallOutcome {

	}

}
