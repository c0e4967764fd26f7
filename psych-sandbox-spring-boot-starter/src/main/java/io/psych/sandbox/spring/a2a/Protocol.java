package io.psych.sandbox.spring.a2a;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A version of the protocol: what its methods are called, and how its messages look in
 * JSON.
 */
enum Protocol {

	/** The version of 2025. What it reads includes version 0.2. */
	V0_3("0.3", "message/send", "tasks/get", "tasks/cancel"),

	/** The version of 2026. */
	V1_0("1.0", "SendMessage", "GetTask", "CancelTask");

	private final String version;

	private final String send;

	private final String get;

	private final String cancel;

	Protocol(String version, String send, String get, String cancel) {
		this.version = version;
		this.send = send;
		this.get = get;
		this.cancel = cancel;
	}

	/**
	 * Return the protocol of a version as cards write it.
	 * @param version such as {@code 1.0} or {@code 0.3.0}
	 * @return the protocol, or {@code null} when it is not known
	 */
	static @Nullable Protocol of(@Nullable String version) {
		if (version == null) {
			return null;
		}
		if (version.equals("1") || version.startsWith("1.")) {
			return V1_0;
		}
		return (version.startsWith("0.3") || version.startsWith("0.2")) ? V0_3 : null;
	}

	String version() {
		return this.version;
	}

	String send() {
		return this.send;
	}

	String get() {
		return this.get;
	}

	String cancel() {
		return this.cancel;
	}

	/**
	 * Return the parameters that send a message. The answer to one that begins a task is
	 * asked for at once: as long as its name is not known it could not be cancelled. To
	 * one that goes on with a task it is not, since it could be how the task was before.
	 */
	Map<String, @Nullable Object> toSend(String id, AgentMessage message) {
		boolean isOld = this == V0_3;
		Map<String, @Nullable Object> sent = new LinkedHashMap<>();
		List<Map<String, @Nullable Object>> parts = new ArrayList<>();
		parts.add(part("text", message.text()));
		if (message.data() != null) {
			parts.add(part("data", message.data()));
		}
		if (isOld) {
			sent.put("kind", "message");
		}
		sent.put("messageId", id);
		sent.put("role", isOld ? "user" : "ROLE_USER");
		sent.put("parts", parts);
		if (message.contextId() != null) {
			sent.put("contextId", message.contextId());
		}
		if (message.taskId() != null) {
			sent.put("taskId", message.taskId());
		}
		sent.put("metadata", Map.of("skillId", message.skill()));
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		params.put("message", sent);
		boolean isNew = message.taskId() == null;
		params.put("configuration", isOld ? Map.of("blocking", !isNew) : Map.of("returnImmediately", isNew));
		return params;
	}

	private Map<String, @Nullable Object> part(String kind, Object value) {
		Map<String, @Nullable Object> part = new LinkedHashMap<>();
		if (this == V0_3) {
			part.put("kind", kind);
		}
		part.put(kind, value);
		return part;
	}

	/** Return the parameters that name a task. */
	Map<String, @Nullable Object> toName(String task) {
		Map<String, @Nullable Object> params = new LinkedHashMap<>();
		params.put("id", task);
		return params;
	}

	/**
	 * Read the answer to a message.
	 * @param result what was answered
	 * @return the reply
	 * @throws IllegalArgumentException if it is none
	 */
	AgentReply sent(JsonValue result) {
		if (this == V0_3) {
			return "message".equals(result.string("kind")) ? message(result) : task(result);
		}
		JsonValue message = result.member("message");
		JsonValue task = result.member("task");
		if (message != null) {
			return message(message);
		}
		return task((task != null) ? task : JsonValue.NULL);
	}

	private static AgentReply message(JsonValue message) {
		return new AgentReply(TaskState.COMPLETED, parts(message), List.of(), text(message, "contextId"),
				text(message, "taskId"));
	}

	/**
	 * Read a task.
	 * @param task the task
	 * @return the reply
	 * @throws IllegalArgumentException if it is none
	 */
	AgentReply task(JsonValue task) {
		JsonValue status = task.member("status");
		TaskState state = (status != null) ? TaskState.of(status.string("state")) : null;
		String id = text(task, "id");
		if (status == null || state == null || id == null) {
			throw new IllegalArgumentException("is no task in a state that is known");
		}
		JsonValue message = status.member("message");
		List<AgentReply.Artifact> artifacts = new ArrayList<>();
		for (JsonValue each : objects(task, "artifacts")) {
			artifacts.add(new AgentReply.Artifact(text(each, "artifactId"), text(each, "name"),
					text(each, "description"), parts(each)));
		}
		List<AgentReply.Part> parts = (message != null && !message.isNull()) ? parts(message) : List.of();
		return new AgentReply(state, parts, artifacts, text(task, "contextId"), id);
	}

	private static List<AgentReply.Part> parts(JsonValue holder) {
		return objects(holder, "parts").stream().map(Protocol::part).toList();
	}

	private static AgentReply.Part part(JsonValue part) {
		Map<String, @Nullable Object> value = new LinkedHashMap<>();
		JsonValue file = part.member("file");
		if (part.string("text") != null) {
			value.put("text", part.string("text"));
		}
		else if (part.members().containsKey("data")) {
			value.put("data", part.members().get("data"));
		}
		else if (file != null) {
			put(value, "name", text(file, "name"));
			put(value, "mediaType", text(file, "mimeType"));
			put(value, "url", text(file, "uri"));
			put(value, "base64", text(file, "bytes"));
		}
		else {
			put(value, "name", text(part, "filename"));
			put(value, "mediaType", text(part, "mediaType"));
			put(value, "url", text(part, "url"));
			put(value, "base64", text(part, "raw"));
		}
		if (value.keySet().stream().noneMatch(Protocol::isContent)) {
			throw new IllegalArgumentException("has a part that is neither text nor data nor a file");
		}
		return new AgentReply.Part(value);
	}

	private static boolean isContent(String name) {
		return name.equals("text") || name.equals("data") || name.equals("url") || name.equals("base64");
	}

	private static void put(Map<String, @Nullable Object> value, String name, @Nullable String text) {
		if (text != null) {
			value.put(name, text);
		}
	}

	private static List<JsonValue> objects(JsonValue holder, String name) {
		if (!(holder.members().get(name) instanceof List<?> list)) {
			return List.of();
		}
		List<JsonValue> objects = new ArrayList<>();
		for (Object each : list) {
			JsonValue value = JsonValue.of(each);
			if (!value.isObject()) {
				throw new IllegalArgumentException("has something else than objects in " + name);
			}
			objects.add(value);
		}
		return objects;
	}

	/** The JSON of version 1.0 may write a text that is not set as an empty one. */
	private static @Nullable String text(JsonValue holder, String name) {
		String text = holder.string(name);
		return (text != null && !text.isEmpty()) ? text : null;
	}

}
