package io.psych.sandbox;

/**
 * Something a user could pick instead of us.
 *
 * @param name by which it is prepared
 * @param title its title in the table
 * @param isolates what it isolates, in a few words
 * @param isWarm whether it has started beforehand, so that our warm run is what it is
 * held against
 * @param goal how many times our run should be as fast
 * @param job the job
 */
record Peer(String name, String title, String isolates, boolean isWarm, double goal, Job job) {

	static Peer cold(String name, String title, String isolates, double goal, Job job) {
		return new Peer(name, title, isolates, false, goal, job);
	}

	static Peer warm(String name, String title, String isolates, double goal, Job job) {
		return new Peer(name, title, isolates, true, goal, job);
	}

	/**
	 * Return the row of the table when there is nothing to tell.
	 * @param reason why not
	 * @return the row
	 */
	String row(String reason) {
		return "| %s | %s | not measured here: %s | | | | |%n".formatted(this.title, this.isolates, reason);
	}

	/**
	 * The job, as the peer does it.
	 */
	@FunctionalInterface
	interface Job {

		/**
		 * Do it once.
		 * @return the nanoseconds it took
		 * @throws PeerException when it does not work
		 */
		long run() throws PeerException;

	}

}
