package io.psych.sandbox.contract;

import io.psych.sandbox.json.JsonValue;

/**
 * What a call came to. Which of the three it is stands on the type, never inside the
 * value.
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
	 * The tool has a result that is over the ceiling of one reply, and it is kept.
	 *
	 * @param handle names the result
	 */
	record Preserved(ResultHandle handle) implements CallOutcome {

	}

	/**
	 * No result, and why.
	 *
	 * @param kind the kind, for the program to branch on
	 * @param message what happened, for the program's author
	 * @param state what the ledger shows
	 */
	record Failed(ToolFailureKind kind, String message, CallState state) implements CallOutcome {

		/**
		 * Create a failure that is in the ledger as failures of its kind are.
		 * @param kind the kind
		 * @param message what happened
		 */
		public Failed(ToolFailureKind kind, String message) {
			this(kind, message, kind.state());
		}

	}

}
