package io.psych.sandbox.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

import io.psych.sandbox.contract.Uncollected;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.spawn.FileFacts;
import io.psych.sandbox.spawn.FileHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One walk over one workspace, used once.
 */
final class Walk {

	private static final Logger logger = LoggerFactory.getLogger(Walk.class);

	/**
	 * Names are held until their folder is sorted: some ten megabytes for as many as
	 * these.
	 */
	static final int MOST_ENTRIES = 100_000;

	private static final int MOST_LISTED = 100;

	private static final int MOST_CHARACTERS_OF_PATH = 400;

	private static final String CACHE = "__pycache__";

	/**
	 * A folder that is still to be walked. Holds no handle: there may be many.
	 *
	 * @param names what leads to it
	 * @param shown the same as it is shown, empty or with a slash at its end
	 */
	private record Folder(List<Path> names, String shown) {

		Folder child(Path name, String shown) {
			List<Path> names = new ArrayList<>(this.names);
			names.add(name);
			return new Folder(names, shown + "/");
		}

	}

	private final FileHandle workspace;

	private final ByteSize fileSize;

	private final ArtifactLimits limits;

	private final Set<FileFacts> inputs;

	private final ArtifactSink sink;

	private final LongSupplier nanoClock;

	private final long began;

	private final Deque<Folder> waiting = new ArrayDeque<>();

	private final Set<String> names = new HashSet<>();

	private final List<Uncollected> uncollected = new ArrayList<>();

	private long unlisted;

	private int entries;

	private int files;

	private long bytes;

	private long device;

	/** No folder is listed any more. */
	private boolean ended;

	/** Nothing is looked at any more. */
	private boolean stopped;

	Walk(FileHandle workspace, Limits limits, Set<FileFacts> inputs, ArtifactSink sink, LongSupplier nanoClock) {
		this.workspace = workspace;
		this.fileSize = limits.fileSize();
		this.limits = limits.artifacts();
		this.inputs = inputs;
		this.sink = sink;
		this.nanoClock = nanoClock;
		this.began = nanoClock.getAsLong();
	}

	Collected walk() {
		this.waiting.add(new Folder(List.of(), ""));
		while (!this.waiting.isEmpty() && !this.ended && !isStopped(this.waiting.element().shown())) {
			Folder folder = this.waiting.remove();
			try {
				this.device = this.workspace.facts().device();
				enter(this.workspace, folder, 0);
			}
			catch (IOException ex) {
				leaveOut(folder.shown(), "it can't be listed");
			}
		}
		return new Collected(this.files, this.bytes, this.uncollected, this.unlisted);
	}

	/** Go down to a folder, from the workspace and with a handle on each in between. */
	private void enter(FileHandle handle, Folder folder, int depth) throws IOException {
		if (depth == folder.names().size()) {
			visit(handle, folder);
			return;
		}
		try (FileHandle child = handle.child(folder.names().get(depth))) {
			FileFacts facts = child.facts();
			if (!facts.isFolder() || facts.device() != this.device) {
				leaveOut(folder.shown(), "it is no folder any more");
				return;
			}
			enter(child, folder, depth + 1);
		}
	}

	private void visit(FileHandle handle, Folder folder) throws IOException {
		for (Path name : list(handle, folder)) {
			String shown = folder.shown() + FileNames.sane(name);
			if (isStopped(shown)) {
				return;
			}
			try (FileHandle child = handle.child(name)) {
				FileFacts facts = child.facts();
				if (!facts.isFolder()) {
					take(handle, name, child, facts, shown);
				}
				else if (facts.device() != this.device) {
					leaveOut(shown, "it is another file system");
				}
				else if (folder.names().size() >= this.limits.depth()) {
					leaveOut(shown, "files are collected down to %d folders deep".formatted(this.limits.depth()));
				}
				else {
					this.waiting.add(folder.child(name, shown));
				}
			}
			catch (IOException ex) {
				leaveOut(shown, "it can't be opened");
			}
		}
	}

	/** Return the names in a folder, sorted; hidden ones and caches are not told. */
	private List<Path> list(FileHandle handle, Folder folder) throws IOException {
		List<Path> names = new ArrayList<>();
		try (DirectoryStream<Path> stream = handle.list()) {
			for (Path entry : stream) {
				if (++this.entries > MOST_ENTRIES) {
					this.ended = true;
					tell(folder.shown(),
							"there are more than %,d files and folders, and the rest of them was not looked at"
								.formatted(MOST_ENTRIES));
					break;
				}
				if (isStopped(folder.shown())) {
					break;
				}
				Path name = entry.getFileName();
				if (!name.toString().startsWith(".") && !name.toString().equals(CACHE)) {
					names.add(name);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		Collections.sort(names);
		return names;
	}

	private void take(FileHandle folder, Path name, FileHandle file, FileFacts facts, String shown) throws IOException {
		if (this.inputs.contains(facts)) {
			return;
		}
		String reason = reasonAgainst(facts, shown);
		if (reason == null && !isOnlyName(folder, name, facts)) {
			reason = "it changed while it was looked at";
		}
		if (reason != null) {
			leaveOut(shown, reason);
			return;
		}
		try (InputStream source = file.read(); Content content = new Content(source, facts.size(), this::isOver)) {
			hand(unique(shown), facts.size(), content);
		}
		catch (IOException ex) {
			leaveOut(shown, "it can't be read");
		}
	}

	private @Nullable String reasonAgainst(FileFacts facts, String shown) {
		if (!facts.isRegular()) {
			return "it is a " + facts.kind() + ", not a regular file";
		}
		if (facts.links() != 1) {
			return "it has %d names (hard links), and a file must have one".formatted(facts.links());
		}
		if (facts.device() != this.device) {
			return "it is on another file system";
		}
		if (shown.length() > MOST_CHARACTERS_OF_PATH) {
			return "its path is longer than %d characters".formatted(MOST_CHARACTERS_OF_PATH);
		}
		if (this.files >= this.limits.files()) {
			return "at most %,d files are collected".formatted(this.limits.files());
		}
		if (facts.size() > this.fileSize.bytes()) {
			return "it is larger than one file may be, which is " + this.fileSize;
		}
		if (facts.size() > this.limits.total().bytes() - this.bytes) {
			return "with it all files would be larger than they may be together, which is " + this.limits.total();
		}
		return null;
	}

	/**
	 * Return whether the one name a file has is this one. Somebody else's that was linked
	 * here could have lost this name again just before it was asked how many it has.
	 */
	private static boolean isOnlyName(FileHandle folder, Path name, FileFacts facts) throws IOException {
		// A name that is being removed is still found by others for a moment; reading the
		// folder waits for that to end.
		try (DirectoryStream<Path> entries = folder.list()) {
			if (!entries.iterator().hasNext()) {
				return false;
			}
		}
		try (FileHandle again = folder.child(name)) {
			// Each name that came or went meanwhile has set the time of change.
			return again.facts().equals(facts);
		}
	}

	private void hand(String name, long size, Content content) {
		try {
			this.sink.accept(new Artifact(name, MediaTypes.of(name, content.head()), size), content);
			this.names.add(name);
			this.files++;
			this.bytes += size;
		}
		catch (NotTakenException ex) {
			leaveOut(name, String.valueOf(ex.getMessage()));
		}
		catch (IOException | RuntimeException ex) {
			// Of a store that somebody else wrote anything may come.
			logger.debug("A file of a workspace was not collected", ex);
			String problem = content.problem();
			leaveOut(name, (problem != null) ? problem : "it could not be stored");
		}
	}

	/** Different names may have become the same. */
	private String unique(String shown) {
		String name = shown;
		for (int i = 2; this.names.contains(name); i++) {
			name = shown + "~" + i;
		}
		return name;
	}

	private boolean isOver() {
		return Thread.currentThread().isInterrupted()
				|| this.nanoClock.getAsLong() - this.began > this.limits.time().toNanos();
	}

	/** Once the time is over nothing more is looked at, which is told once. */
	private boolean isStopped(String shown) {
		if (!this.stopped && isOver()) {
			this.stopped = true;
			tell(shown, Thread.currentThread().isInterrupted() ? "collecting was interrupted here"
					: "collecting took longer than %s and was ended here".formatted(this.limits.time()));
		}
		return this.stopped;
	}

	/** List a reason why much is missing, in place of a file if need be. */
	private void tell(String shown, String reason) {
		if (this.uncollected.size() == MOST_LISTED) {
			this.uncollected.remove(MOST_LISTED - 1);
			this.unlisted++;
		}
		leaveOut(shown, reason);
	}

	private void leaveOut(String shown, String reason) {
		if (this.uncollected.size() == MOST_LISTED) {
			this.unlisted++;
			return;
		}
		String path = shown.isEmpty() ? "." : shown;
		this.uncollected.add(new Uncollected(
				(path.length() > MOST_CHARACTERS_OF_PATH) ? path.substring(0, MOST_CHARACTERS_OF_PATH) + "…" : path,
				reason));
	}

}
