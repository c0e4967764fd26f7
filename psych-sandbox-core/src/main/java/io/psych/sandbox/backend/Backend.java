package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.Path;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;
import io.psych.sandbox.spawn.ChildProcess;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * One mechanism of isolation. A backend only says how a child is started and what the
 * mechanism is; what it achieved is observed by the child and graded by {@link Grader},
 * the same way for all. Backends that print the same start children in the same way.
 *
 * @since 0.1.0
 */
public interface Backend {

	/**
	 * Return the name used in properties and reports.
	 * @return the name
	 */
	String name();

	/**
	 * Return whether its children see a file system made for them alone, in a mount
	 * namespace of their own.
	 * @return whether they do
	 */
	boolean hasOwnView();

	/**
	 * Return whether its children need a folder of this host, for their channel or to
	 * work in.
	 * @return whether they do
	 */
	default boolean needsFolder() {
		return true;
	}

	/**
	 * Return how to start a child.
	 * @param folder the folder made for the execution, where the channel already waits
	 * @param limits the limits of the execution
	 * @param network whether the child keeps the host's network
	 * @return the command
	 * @throws IOException if the folder can't be prepared for it
	 */
	ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException;

	/**
	 * Start a child.
	 * @param command how, which this backend has told
	 * @param folder the folder made for the execution
	 * @param spawner starts processes of this host
	 * @return the child, which is setting itself up
	 * @throws IOException if it can't be started; nothing of it is left
	 * @throws InterruptedException if the caller was interrupted; nothing of it is left
	 */
	default ChildProcess start(ChildCommand command, ExecutionFolder folder, Spawner spawner)
			throws IOException, InterruptedException {
		return spawner.start(command);
	}

	/**
	 * Return whether it bounds the memory and the number of all processes of a child
	 * together by itself, so that nobody else may put them into a control group.
	 * @return whether it does
	 */
	default boolean isBounding() {
		return false;
	}

	/**
	 * Return the interpreter that runs programs.
	 * @param host that of this host
	 * @return it, or another one that this backend has found
	 */
	default Interpreter interpreter(Interpreter host) {
		return host;
	}

	/**
	 * Return what its reports tell of the software that made the boundary.
	 * @return names and versions, or {@code null} for none
	 */
	default @Nullable String software() {
		return null;
	}

	/**
	 * Remove what is left of its children when the last of them has ended.
	 */
	default void release() {
	}

	/**
	 * Return the folder a child works in.
	 * @param folder the folder made for the execution
	 * @return the absolute path, as the child sees it
	 */
	Path workspace(ExecutionFolder folder);

}
