package io.psych.sandbox.wire;

import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Writes a frame as a child sends it.
 */
final class ChildFrames {

	private ChildFrames() {
	}

	static JsonValue json(Frame frame) {
		if (frame instanceof Frame.Ready ready) {
			return JsonValue.of(Map.of("type", "ready", "protocol", ready.protocol(), "report", ready.report()));
		}
		if (frame instanceof Frame.Call call) {
			return JsonValue
				.of(Map.of("type", "call", "id", call.id(), "name", call.name(), "arguments", call.arguments()));
		}
		Frame.Done done = (Frame.Done) frame;
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("type", "done");
		json.put("value", done.value());
		json.put("failure", (done.failure() != null) ? json(done.failure()) : null);
		json.put("notes", done.notes());
		return JsonValue.of(json);
	}

	private static Map<String, @Nullable Object> json(Frame.ProgramFailure failure) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("kind", failure.kind());
		json.put("message", failure.message());
		json.put("traceback", failure.traceback());
		json.put("exitStatus", failure.exitStatus());
		json.put("limit", failure.limit());
		json.values().removeIf((value) -> value == null);
		return json;
	}

}
