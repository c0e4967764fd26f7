package io.psych.sandbox.backend;

/**
 * What can't be proved anew in every execution because the proof takes a second of CPU or
 * ends the child: proved once, by an execution of the same kind, when a backend is
 * selected.
 *
 * @param deadline the attempt to outlive the wall clock
 * @param cpu the attempt to outlive the CPU limit
 * @param memory the attempt of two processes to take more memory than both may
 * @since 0.1.0
 */
public record Proofs(Proof deadline, Proof cpu, Proof memory) {

	/** Nothing was proved yet. */
	public static final Proofs NONE = new Proofs(Proof.NONE, Proof.NONE, Proof.NONE);

	/** What stands for the proof of the CPU limit while it is being made. */
	public static final Proof PENDING = new Proof(false, "is being proved since the start of the sandbox");

	/**
	 * One proof.
	 *
	 * @param held whether the attempt was stopped
	 * @param evidence what was attempted and what came of it
	 */
	public record Proof(boolean held, String evidence) {

		/** A proof nobody made. */
		public static final Proof NONE = new Proof(false, "not proved on this host");

	}

	/**
	 * Return these proofs with another one of the deadline.
	 * @param proof the proof
	 * @return the new proofs
	 */
	public Proofs withDeadline(Proof proof) {
		return new Proofs(proof, this.cpu, this.memory);
	}

	/**
	 * Return these proofs with another one of the CPU limit.
	 * @param proof the proof
	 * @return the new proofs
	 */
	public Proofs withCpu(Proof proof) {
		return new Proofs(this.deadline, proof, this.memory);
	}

	/**
	 * Return these proofs with another one of the memory limit.
	 * @param proof the proof
	 * @return the new proofs
	 */
	public Proofs withMemory(Proof proof) {
		return new Proofs(this.deadline, this.cpu, proof);
	}

}
