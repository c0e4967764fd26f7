package io.psych.sandbox.spring.a2a;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What an agent says, as a message or as the state of a task.
 *
 * @param state how the task is; a message alone is complete
 * @param parts the parts of its message
 * @param artifacts what came of the task
 * @param contextId the conversation, or {@code null} when there is none
 * @param taskId the task, or {@code null} when there is none
 */
record AgentReply(TaskState state, List<Part> parts, List<Artifact> artifacts, @Nullable String contextId,
		@Nullable String taskId) {

	/**
	 * A text, data or a file.
	 *
	 * @param value members of which exactly one is {@code text}, {@code data},
	 * {@code url} or {@code base64}
	 */
	record Part(Map<String, @Nullable Object> value) {

		private @Nullable String text() {
			return (this.value.get("text") instanceof String text) ? text : null;
		}

	}

	/**
	 * A result of a task.
	 *
	 * @param id its name in the protocol, or {@code null}
	 * @param name its name for people, or {@code null}
	 * @param description what it is, or {@code null}
	 * @param parts what it consists of
	 */
	record Artifact(@Nullable String id, @Nullable String name, @Nullable String description, List<Part> parts) {

		private Map<String, @Nullable Object> toValue() {
			Map<String, @Nullable Object> value = new LinkedHashMap<>();
			put(value, "id", this.id);
			put(value, "name", this.name);
			put(value, "description", this.description);
			value.put("parts", this.parts.stream().map(Part::value).toList());
			return value;
		}

	}

	/** The text of the message, or of the artifacts where there is no message. */
	String text() {
		return spoken().stream().map(Part::text).filter(Objects::nonNull).collect(Collectors.joining("\n"));
	}

	private List<Part> spoken() {
		return this.parts.isEmpty() ? this.artifacts.stream().flatMap((artifact) -> artifact.parts().stream()).toList()
				: this.parts;
	}

	/** What a caller is given. Files are in the artifacts, or in files. */
	JsonValue toValue() {
		Map<String, @Nullable Object> value = new LinkedHashMap<>();
		value.put("state", this.state.id());
		value.put("text", text());
		List<@Nullable Object> data = new ArrayList<>();
		spoken().stream()
			.filter((part) -> part.value().containsKey("data"))
			.forEach((part) -> data.add(part.value().get("data")));
		if (!data.isEmpty()) {
			value.put("data", (data.size() == 1) ? data.get(0) : data);
		}
		List<Map<String, @Nullable Object>> files = this.parts.stream()
			.map(Part::value)
			.filter((part) -> part.containsKey("url") || part.containsKey("base64"))
			.toList();
		if (!files.isEmpty()) {
			value.put("files", files);
		}
		value.put("artifacts", this.artifacts.stream().map(Artifact::toValue).toList());
		put(value, "contextId", this.contextId);
		put(value, "taskId", this.taskId);
		return JsonValue.of(value);
	}

	private static void put(Map<String, @Nullable Object> value, String name, @Nullable String text) {
		if (text != null) {
			value.put(name, text);
		}
	}

}
