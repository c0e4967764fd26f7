package io.psych.sandbox.run;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.Grader;
import io.psych.sandbox.backend.InstanceFolder;
import io.psych.sandbox.backend.Proofs;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.spawn.Spawner;
import org.jspecify.annotations.Nullable;

/**
 * What all executions of one sandbox share.
 *
 * @param backend how children are isolated
 * @param instance where the folders of executions are made
 * @param spawner starts children
 * @param grader grades what they observe
 * @param proofs what was proved so far; does not wait
 * @param cgroups makes control groups, or {@code null} where this JVM can't
 * @param threads the threads beside the callers'
 * @param toolExecutor runs the calls of programs
 * @param concurrentCalls calls of one execution that may run at once
 * @param grace what a program gets to end by itself, and a call to heed its interruption
 * @param pool children that were started ahead, or {@code null}
 * @since 0.1.0
 */
public record Runtime(Backend backend, InstanceFolder instance, Spawner spawner, Grader grader, Supplier<Proofs> proofs,
		@Nullable Cgroups cgroups, Threads threads, Executor toolExecutor, int concurrentCalls, Duration grace,
		@Nullable Pool pool) {

	/**
	 * Return whether the memory and the number of all processes of a child are bounded
	 * together.
	 * @return whether they are, as far as what is there goes
	 */
	public boolean isBounding() {
		return this.cgroups != null || this.backend.isBounding();
	}

	/**
	 * Return what makes the threads that read the channel of an execution and make its
	 * calls.
	 * @return the factory, or {@code null} when the caller has chosen where tools run
	 */
	@Nullable ThreadFactory conversing() {
		return (this.toolExecutor == this.threads.tools()) ? this.threads.conversing() : null;
	}

	/**
	 * Return this runtime with other proofs.
	 * @param proofs the proofs
	 * @return the new runtime
	 */
	public Runtime withProofs(Supplier<Proofs> proofs) {
		return new Runtime(this.backend, this.instance, this.spawner, this.grader, proofs, this.cgroups, this.threads,
				this.toolExecutor, this.concurrentCalls, this.grace, this.pool);
	}

	/**
	 * Return this runtime with children that were started ahead.
	 * @param pool the pool
	 * @return the new runtime
	 */
	public Runtime withPool(Pool pool) {
		return new Runtime(this.backend, this.instance, this.spawner, this.grader, this.proofs, this.cgroups,
				this.threads, this.toolExecutor, this.concurrentCalls, this.grace, pool);
	}

}
