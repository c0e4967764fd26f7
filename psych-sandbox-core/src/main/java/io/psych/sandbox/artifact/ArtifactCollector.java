package io.psych.sandbox.artifact;

import java.util.Set;
import java.util.function.LongSupplier;

import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;

/**
 * Collects the files that a program left in its workspace, once none of its processes is
 * left. Each file and folder is pointed at first and looked at then, by what is pointed
 * at and not by its name, so that even somebody who exchanged one for the other meanwhile
 * could neither lead this anywhere else nor keep it waiting.
 * <p>
 * Hidden files, those of {@code __pycache__} and files that were placed in the workspace
 * and not touched are nobody's results. All else that is not collected is told with the
 * reason.
 *
 * @since 0.1.0
 */
public final class ArtifactCollector {

	private final LongSupplier nanoClock;

	/**
	 * Create a new collector.
	 */
	public ArtifactCollector() {
		this(System::nanoTime);
	}

	ArtifactCollector(LongSupplier nanoClock) {
		this.nanoClock = nanoClock;
	}

	/**
	 * Collect the files of a workspace, breadth first and by their names. Never fails:
	 * what fails is not collected.
	 * @param workspace the workspace
	 * @param limits how much is collected
	 * @param inputs files that were placed in it, as they were left
	 * @param sink takes the files
	 * @return what came of it
	 */
	public Collected collect(FileHandle workspace, Limits limits, Set<FileFacts> inputs, ArtifactSink sink) {
		if (limits.artifacts().files() == 0) {
			return Collected.NOTHING;
		}
		return new Walk(workspace, limits, inputs, sink, this.nanoClock).walk();
	}

}
