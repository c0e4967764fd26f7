package io.psych.sandbox.cli;

import java.io.PrintWriter;

import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.RunResult;

/**
 * Prints a result for people: the program's streams to ours, then its value, and whatever
 * else there is to say to standard error.
 */
final class ResultPrinter {

	private final PrintWriter out;

	private final PrintWriter err;

	ResultPrinter(PrintWriter out, PrintWriter err) {
		this.out = out;
		this.err = err;
	}

	void print(RunResult result) {
		print(result.stdout(), this.out);
		if (!result.value().isNull()) {
			this.out.println(result.value().toPrettyJson());
		}
		print(result.stderr(), this.err);
		result.notes().forEach((note) -> this.err.println("note: " + note));
		if (result.failure() != null) {
			print(result.failure());
		}
		if (result.limitHit() != null) {
			this.err.println("limit: " + result.limitHit().id());
		}
		this.out.flush();
		this.err.flush();
	}

	private static void print(CapturedStream stream, PrintWriter writer) {
		writer.print(stream.text());
		if (!stream.text().isEmpty() && !stream.text().endsWith("\n")) {
			writer.println();
		}
	}

	private void print(Failure failure) {
		if (failure.traceback() != null) {
			this.err.println(failure.traceback().stripTrailing());
		}
		this.err.println(failure.kind().id() + ": " + failure.message());
		this.err.println(failure.kind().guidance());
	}

}
