package io.psych.sandbox.backend;

import java.io.IOException;
import java.nio.file.Path;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.ChildCommand;

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
	 * Return how to start a child.
	 * @param folder the folder made for the execution, where the channel already waits
	 * @param limits the limits of the execution
	 * @param network whether the child keeps the host's network
	 * @return the command
	 * @throws IOException if the folder can't be prepared for it
	 */
	ChildCommand command(ExecutionFolder folder, Limits limits, boolean network) throws IOException;

	/**
	 * Return the folder a child works in.
	 * @param folder the folder made for the execution
	 * @return the absolute path, as the child sees it
	 */
	Path workspace(ExecutionFolder folder);

}
