package io.psych.sandbox.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A tool of the catalogue of awkward schemas, {@code schemas/*.json}: with values that
 * fit, that are of a wrong type, and that its types allow and its bounds refuse.
 *
 * @param file the file of the catalogue
 * @param entry what the file says of the tool
 */
public record AwkwardTool(String file, JsonValue entry) implements HostTool {

	/**
	 * Return all tools of the catalogue, file by file.
	 */
	public static Map<String, List<AwkwardTool>> catalogue() {
		Map<String, List<AwkwardTool>> files = new LinkedHashMap<>();
		try (Stream<Path> paths = Files
			.list(Path.of(Objects.requireNonNull(AwkwardTool.class.getResource("schemas")).toURI()))) {
			for (Path path : paths.sorted().toList()) {
				JsonValue catalogue = JsonValue.parse(Files.readAllBytes(path));
				List<AwkwardTool> tools = new ArrayList<>();
				elements(catalogue, "tools")
					.forEach((entry) -> tools.add(new AwkwardTool(path.getFileName().toString(), entry)));
				files.put(path.getFileName().toString(), tools);
			}
			return files;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Stream<AwkwardTool> all() {
		return catalogue().values().stream().flatMap(List::stream);
	}

	@Override
	public String name() {
		return text("name");
	}

	@Override
	public String description() {
		return text("description");
	}

	@Override
	public JsonValue inputSchema() {
		return Objects.requireNonNull(this.entry.member("input"));
	}

	@Override
	public @Nullable JsonValue outputSchema() {
		return this.entry.member("output");
	}

	@Override
	public String origin() {
		String origin = this.entry.string("origin");
		return (origin != null) ? origin : this.file;
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) {
		List<JsonValue> results = samples("results", "fit");
		return results.isEmpty() ? JsonValue.NULL : results.get(0);
	}

	/**
	 * Return values of one kind.
	 * @param of {@code arguments} or {@code results}
	 * @param kind {@code fit}, {@code wrong} or {@code refused}
	 */
	public List<JsonValue> samples(String of, String kind) {
		JsonValue samples = this.entry.member(of);
		return (samples != null) ? elements(samples, kind) : List.of();
	}

	List<String> shows() {
		return Objects.requireNonNullElse(this.entry.strings("shows"), List.of());
	}

	List<String> hides() {
		return Objects.requireNonNullElse(this.entry.strings("hides"), List.of());
	}

	private String text(String member) {
		return Objects.requireNonNull(this.entry.string(member));
	}

	private static List<JsonValue> elements(JsonValue json, String member) {
		List<JsonValue> elements = new ArrayList<>();
		Schemas.list(json.members().get(member)).forEach((element) -> elements.add(JsonValue.of(element)));
		return elements;
	}

	@Override
	public String toString() {
		return this.file + ": " + name();
	}

}
