package io.psych.sandbox.contract;

import java.util.List;

import io.psych.sandbox.json.JsonValue;

/**
 * The tools one execution may call, and the only way from a program to a tool. Called
 * from several threads at once.
 *
 * @since 0.1.0
 */
public interface Bindings {

	/** The bindings of an execution that may call nothing. */
	Bindings NONE = new Bindings() {

		@Override
		public List<String> names() {
			return List.of();
		}

		@Override
		public CallOutcome call(String name, JsonValue arguments) {
			return new CallOutcome.Failed(ToolFailureKind.NOT_OFFERED, "No tool is offered to this program.");
		}

	};

	/**
	 * Return the names of the tools offered, each once.
	 * @return the names
	 */
	List<String> names();

	/**
	 * Make one call. Runs until the tool has answered; interrupted when the execution
	 * ends before.
	 * @param name the name of the tool, as the program wrote it
	 * @param arguments the arguments, a JSON object
	 * @return what the call came to
	 */
	CallOutcome call(String name, JsonValue arguments);

}
