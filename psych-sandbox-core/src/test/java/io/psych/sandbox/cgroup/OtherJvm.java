package io.psych.sandbox.cgroup;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.psych.sandbox.limits.ByteSize;

/**
 * Another JVM that looks for control groups, tells what it found, and holds a group with
 * a process in it until it is ended.
 */
public final class OtherJvm implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private OtherJvm(Process process) {
		this.process = process;
		this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
	}

	/**
	 * Start one.
	 * @param folder an empty folder, in which its classes are put for any user to read
	 * @param prefix a command that becomes the JVM
	 */
	static OtherJvm start(Path folder, String... prefix) throws IOException {
		copyClasses(folder);
		List<String> command = new ArrayList<>(List.of(prefix));
		command.addAll(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
				"-XX:TieredStopAtLevel=1", "-cp", folder.toString(), OtherJvm.class.getName()));
		ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
		builder.environment().keySet().removeIf((name) -> name.startsWith("JAVA") || name.startsWith("JDK"));
		return new OtherJvm(builder.start());
	}

	private static void copyClasses(Path folder) throws IOException {
		Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
		for (Class<?> sample : List.of(Cgroups.class, ByteSize.class, OtherJvm.class)) {
			Path root = Path.of(sample.getProtectionDomain().getCodeSource().getLocation().getPath());
			Path source = root.resolve(sample.getPackageName().replace('.', '/'));
			try (Stream<Path> files = Files.list(source)) {
				for (Path file : files.filter(Files::isRegularFile).toList()) {
					Path target = folder.resolve(root.relativize(file).toString());
					Files.createDirectories(target.getParent());
					Files.write(target, Files.readAllBytes(file));
				}
			}
		}
		try (Stream<Path> all = Files.walk(folder)) {
			for (Path path : all.toList()) {
				Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
			}
		}
	}

	/** Return the next line it tells, or an empty one when it has ended. */
	String line() throws IOException {
		String line = this.output.readLine();
		return (line != null) ? line : "";
	}

	void kill() throws InterruptedException {
		this.process.destroyForcibly();
		this.process.waitFor(10, TimeUnit.SECONDS);
	}

	@Override
	public void close() throws IOException, InterruptedException {
		this.process.getOutputStream().close();
		if (!this.process.waitFor(10, TimeUnit.SECONDS)) {
			kill();
		}
		this.output.close();
	}

	public static void main(String[] arguments) throws IOException, InterruptedException {
		PrintStream output = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
		try (Cgroups cgroups = Cgroups.find(); Cgroup group = cgroups.create("held", ByteSize.ofMebibytes(64), 8)) {
			Process process = new ProcessBuilder("/bin/sleep", "60").redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			group.attach(process.pid());
			output.println(process.pid());
			cgroups.folders().forEach(output::println);
			System.in.read();
			process.destroyForcibly().waitFor();
		}
		catch (CgroupsAbsentException ex) {
			output.println(ex.getMessage());
			output.println(ex.remedy());
		}
	}

}
