package io.psych.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A peer that is a command, started anew for each job.
 *
 * @param directory where it is started
 * @param command the peer's own part
 * @param program the rest, which must print 1 and nothing else
 */
record PeerCommand(Path directory, List<String> command, List<String> program) implements Peer.Job {

	/** As many characters fit a cell of a table. */
	private static final int MOST = 160;

	@Override
	public long run() throws PeerException {
		List<String> all = Stream.concat(this.command.stream(), this.program.stream()).toList();
		long began = System.nanoTime();
		try {
			Process process = new ProcessBuilder(all).directory(this.directory.toFile())
				.redirectErrorStream(true)
				.start();
			process.getOutputStream().close();
			String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			int status = process.waitFor();
			long taken = System.nanoTime() - began;
			if (status != 0 || !printed.equals("1\n")) {
				throw new PeerException("status %d, %s".formatted(status, gist(printed)));
			}
			return taken;
		}
		catch (IOException ex) {
			throw new PeerException(String.valueOf(ex.getMessage()));
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** The line that says what is wrong, else the first one. */
	private static String gist(String printed) {
		String line = printed.lines()
			.filter((each) -> each.contains("Error"))
			.findFirst()
			.orElseGet(() -> printed.lines().findFirst().orElse("nothing printed"));
		return line.substring(0, Math.min(line.length(), MOST)).replace('|', ' ');
	}

}
