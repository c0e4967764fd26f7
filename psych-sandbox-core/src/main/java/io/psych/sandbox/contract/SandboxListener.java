package io.psych.sandbox.contract;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Is told of every execution and every call when it begins and, through what it returns,
 * when it is over; both on one thread, which works on nothing else in between but what
 * belongs to it. So a listener can put something on the thread and take it away again,
 * and what it puts there when an execution begins is carried to the calls of its program
 * as all that the caller's thread holds. What a listener throws is logged once and has no
 * effect on anything else.
 * <p>
 * It learns nothing of whose execution it is, of programs, arguments and results, and all
 * that it learns has few values, so that each can be the tag of a metric.
 *
 * @since 0.1.0
 */
public interface SandboxListener {

	/**
	 * Listen to an execution.
	 * @param profile the name of its profile, or {@code null} for the default limits
	 * @return told of its end
	 */
	default Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
		return (facts) -> {
		};
	}

	/**
	 * Listen to a call of a program or a direct one of the model.
	 * @param tool the name of the tool, or {@link CallFacts#OTHER} where there is no such
	 * tool
	 * @param origin who calls
	 * @return told of its end
	 */
	default Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
		return (facts) -> {
		};
	}

}
