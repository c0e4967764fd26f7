package io.psych.sandbox.catalogue;

import io.psych.sandbox.limits.Grade;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;

/**
 * A mechanism that a host may lack. Where it is there, what it must contain is contained;
 * where it is not, the grade must say so.
 */
enum Layer {

	/** A filter of system calls. */
	SECCOMP("a filter of system calls") {

		@Override
		boolean isThere(IsolationReport report) {
			return report.finding(Guarantee.IDENTITY).evidence().contains("seccomp refuses");
		}

	},

	/** Rules for files, TCP and scopes. */
	LANDLOCK("Landlock") {

		@Override
		boolean isThere(IsolationReport report) {
			return report.finding(Guarantee.FILESYSTEM).evidence().matches(".*\\bLandlock \\d.*");
		}

	},

	/** A process tree of its own. */
	PID_NAMESPACE("a pid namespace") {

		@Override
		boolean isThere(IsolationReport report) {
			return report.finding(Guarantee.PROCESS_TREE).evidence().contains("pid namespace");
		}

	},

	/** Limits for the whole tree. */
	CGROUP("memory bounded for the tree") {

		@Override
		boolean isThere(IsolationReport report) {
			return report.grade(Guarantee.MEMORY) == Grade.ENFORCED;
		}

	},

	/** A bound on all files together. */
	QUOTA("a bound on all files") {

		@Override
		boolean isThere(IsolationReport report) {
			return report.finding(Guarantee.FILE_SIZE).evidence().contains("a file system of their own");
		}

	};

	private final String title;

	Layer(String title) {
		this.title = title;
	}

	/**
	 * Return what to call it.
	 */
	String title() {
		return this.title;
	}

	/**
	 * Return whether an execution had it.
	 * @param report the report of the execution
	 * @return whether it had
	 */
	abstract boolean isThere(IsolationReport report);

}
