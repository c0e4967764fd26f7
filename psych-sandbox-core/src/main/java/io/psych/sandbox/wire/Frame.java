package io.psych.sandbox.wire;

import java.util.List;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A frame that a child sends.
 *
 * @since 0.1.0
 */
public sealed interface Frame {

	/**
	 * The child waits for a program and tells what it observed of its own confinement.
	 *
	 * @param protocol the version of the protocol it speaks
	 * @param report what it observed, a JSON object
	 */
	record Ready(long protocol, JsonValue report) implements Frame {

	}

	/**
	 * The program calls a tool.
	 *
	 * @param id the number of the call
	 * @param name the name of the tool, as the program wrote it
	 * @param arguments the arguments, a JSON object
	 */
	record Call(long id, String name, JsonValue arguments) implements Frame {

	}

	/**
	 * The program has ended. All of it is the program's own claim.
	 *
	 * @param value what it evaluated to
	 * @param failure why it did not succeed, or {@code null}
	 * @param notes what its author should know
	 */
	record Done(JsonValue value, @Nullable ProgramFailure failure, List<String> notes) implements Frame {

	}

	/**
	 * A program's failure, as the child tells it.
	 *
	 * @param kind one of {@code program_exception}, {@code worker_exit},
	 * {@code invalid_output}, {@code output_limit}
	 * @param message what happened
	 * @param traceback the traceback, or {@code null}
	 * @param exitStatus the status the program asked to end with, 0 to 255, or
	 * {@code null}
	 * @param limit the limit it speaks of, or {@code null}
	 */
	record ProgramFailure(String kind, String message, @Nullable String traceback, @Nullable Integer exitStatus,
			@Nullable String limit) {

	}

}
