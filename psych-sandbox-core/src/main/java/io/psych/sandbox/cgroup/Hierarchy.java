package io.psych.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A mounted hierarchy of control groups in which a process's own group can be seen
 * (cgroups(7)).
 *
 * @param controllers the controllers it was mounted with, none for the unified hierarchy
 * @param mountPoint where it is mounted
 * @param folder the folder of the process's own group
 */
record Hierarchy(Set<String> controllers, Path mountPoint, Path folder) {

	/**
	 * Read the hierarchies of a process.
	 * @param process its folder in the file system of processes
	 * @return those that are mounted and show its group
	 * @throws IOException if the kernel does not tell them
	 */
	static List<Hierarchy> read(Path process) throws IOException {
		return read(process, process);
	}

	/**
	 * Read the hierarchies of a process as another one sees them.
	 * @param process its folder in the file system of processes
	 * @param viewer the folder of the one whose mounts count
	 * @return those that are mounted there and show its group
	 * @throws IOException if the kernel does not tell them
	 */
	static List<Hierarchy> read(Path process, Path viewer) throws IOException {
		List<Mount> mounts = new ArrayList<>();
		for (String line : ControlFile.read(viewer.resolve("mountinfo")).split("\n")) {
			Mount mount = Mount.parse(line);
			if (mount != null) {
				mounts.add(mount);
			}
		}
		List<Hierarchy> hierarchies = new ArrayList<>();
		for (String line : ControlFile.read(process.resolve("cgroup")).split("\n")) {
			// number:controllers:group, of which only the last may have further colons
			String[] fields = line.split(":", 3);
			if (fields.length == 3) {
				Hierarchy hierarchy = find(mounts, words(fields[1]), fields[2]);
				if (hierarchy != null) {
					hierarchies.add(hierarchy);
				}
			}
		}
		return hierarchies;
	}

	private static @Nullable Hierarchy find(List<Mount> mounts, Set<String> controllers, String group) {
		for (Mount mount : mounts) {
			Path folder = mount.folder(controllers, group);
			if (folder != null && Files.isDirectory(folder)) {
				return new Hierarchy(controllers, mount.point(), folder);
			}
		}
		return null;
	}

	private static Set<String> words(String list) {
		return list.isEmpty() ? Set.of() : Set.copyOf(List.of(list.split(",")));
	}

	boolean isUnified() {
		return this.controllers.isEmpty();
	}

	/**
	 * A mount of a hierarchy, or of the part of one that a container is shown.
	 *
	 * @param unified whether of the unified one
	 * @param root the group that its mount point shows
	 * @param point its mount point
	 * @param options the options of its file system, the controllers among them
	 */
	private record Mount(boolean unified, String root, Path point, Set<String> options) {

		/** How spaces and their like are written in a field. */
		private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

		/**
		 * Parse a line of proc_pid_mountinfo(5).
		 */
		static @Nullable Mount parse(String line) {
			String[] halves = line.split(" - ", 2);
			String[] place = halves[0].split(" ");
			String[] system = (halves.length == 2) ? halves[1].split(" ") : new String[0];
			if (place.length < 5 || system.length < 3 || !system[0].matches("cgroup2?")) {
				return null;
			}
			return new Mount("cgroup2".equals(system[0]), unescape(place[3]), Path.of(unescape(place[4])),
					words(system[2]));
		}

		private static String unescape(String field) {
			return OCTAL.matcher(field)
				.replaceAll(
						(match) -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1), 8))));
		}

		/**
		 * Return the folder of a group.
		 * @param controllers the controllers of the group's hierarchy
		 * @param group the group, as its process is told
		 * @return the folder, or {@code null} when this mount does not show it
		 */
		@Nullable Path folder(Set<String> controllers, String group) {
			boolean same = controllers.isEmpty() ? this.unified
					: !this.unified && this.options.containsAll(controllers);
			// A group outside of the process's cgroup namespace is told as /.. and up
			if (!same || group.startsWith("/..")) {
				return null;
			}
			String above = "/".equals(this.root) ? "" : this.root;
			if (!group.equals(above) && !group.startsWith(above + "/")) {
				return null;
			}
			return this.point.resolve(group.substring(above.length()).replaceFirst("^/+", ""));
		}

	}

}
