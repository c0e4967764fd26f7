package io.psych.sandbox.runlog;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.LimitHit;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Events as JSON, for logs that store text. Members are only ever added: one that is not
 * known is left alone, one that is absent is {@code null}. A type of event that is not
 * known can't be read.
 *
 * @since 0.1.0
 */
public final class RunEventJson {

	private RunEventJson() {
	}

	/**
	 * Write an event.
	 * @param event the event
	 * @return an object whose member {@code type} tells which event it is
	 */
	public static JsonValue write(RunEvent event) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		if (event instanceof RunEvent.ExecutionStarted started) {
			json.put("type", "execution_started");
			json.put("execution", started.execution());
			json.put("spec", started.spec());
			json.put("profile", started.profile());
			json.put("programBytes", started.programBytes());
		}
		else if (event instanceof RunEvent.ExecutionEnded ended) {
			json.put("type", "execution_ended");
			json.put("execution", ended.execution());
			json.put("backend", ended.backend());
			json.put("failure", (ended.failure() != null) ? ended.failure().id() : null);
			json.put("limitHit", (ended.limitHit() != null) ? ended.limitHit().id() : null);
			json.put("duration", ended.duration().toString());
			json.put("stdoutBytes", ended.stdoutBytes());
			json.put("stderrBytes", ended.stderrBytes());
		}
		else if (event instanceof RunEvent.AttachmentKept kept) {
			Attachment attachment = kept.attachment();
			json.put("type", "attachment_kept");
			json.put("execution", kept.execution());
			json.put("name", attachment.name());
			json.put("handle", attachment.handle());
			json.put("mediaType", attachment.mediaType());
			json.put("bytes", attachment.bytes());
			json.put("whole", attachment.whole());
			json.put("inline", kept.inline());
		}
		else if (event instanceof RunEvent.CallAccepted accepted) {
			json.put("type", "call_accepted");
			json.put("execution", accepted.execution());
			json.put("call", accepted.call());
			json.put("tool", accepted.tool());
			json.put("origin", accepted.origin().id());
			json.put("argumentBytes", accepted.argumentBytes());
		}
		else if (event instanceof RunEvent.CallEnded ended) {
			json.put("type", "call_ended");
			json.put("call", ended.call());
			json.put("state", ended.state().id());
			json.put("failure", (ended.failure() != null) ? ended.failure().id() : null);
			json.put("duration", ended.duration().toString());
			json.put("resultBytes", ended.resultBytes());
		}
		json.values().removeIf((value) -> value == null);
		return JsonValue.of(json);
	}

	/**
	 * Read an event.
	 * @param json what {@link #write} returned, in this version or an older one
	 * @return the event
	 * @throws IllegalArgumentException if it is no event that this version knows
	 */
	public static RunEvent read(JsonValue json) {
		String type = string(json, "type");
		return switch (type) {
			case "execution_started" -> new RunEvent.ExecutionStarted(string(json, "execution"), string(json, "spec"),
					json.string("profile"), integer(json, "programBytes"));
			case "execution_ended" -> new RunEvent.ExecutionEnded(string(json, "execution"), string(json, "backend"),
					optional(json, "failure", FailureKind.values(), FailureKind::id),
					optional(json, "limitHit", LimitHit.values(), LimitHit::id), duration(json),
					integer(json, "stdoutBytes"), integer(json, "stderrBytes"));
			case "attachment_kept" -> new RunEvent.AttachmentKept(string(json, "execution"),
					new Attachment(string(json, "name"), string(json, "handle"), string(json, "mediaType"),
							integer(json, "bytes"), Boolean.TRUE.equals(json.members().get("whole"))),
					json.string("inline"));
			case "call_accepted" ->
				new RunEvent.CallAccepted(string(json, "execution"), string(json, "call"), string(json, "tool"),
						required(json, "origin", CallOrigin.values(), CallOrigin::id), integer(json, "argumentBytes"));
			case "call_ended" ->
				new RunEvent.CallEnded(string(json, "call"), required(json, "state", CallState.values(), CallState::id),
						optional(json, "failure", ToolFailureKind.values(), ToolFailureKind::id), duration(json),
						integer(json, "resultBytes"));
			default -> throw new IllegalArgumentException("there is no event of type " + type);
		};
	}

	private static String string(JsonValue json, String name) {
		return present(json.string(name), name);
	}

	private static long integer(JsonValue json, String name) {
		return present(json.integer(name), name);
	}

	private static Duration duration(JsonValue json) {
		try {
			return Duration.parse(string(json, "duration"));
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("the duration of an event is none", ex);
		}
	}

	private static <E> E required(JsonValue json, String name, E[] values, Function<E, String> id) {
		return present(optional(json, name, values, id), name);
	}

	private static <E> @Nullable E optional(JsonValue json, String name, E[] values, Function<E, String> id) {
		String text = json.string(name);
		if (text == null) {
			return null;
		}
		for (E value : values) {
			if (id.apply(value).equals(text)) {
				return value;
			}
		}
		throw new IllegalArgumentException("there is no " + name + " " + text);
	}

	private static <T> T present(@Nullable T member, String name) {
		if (member == null) {
			throw new IllegalArgumentException("an event lacks " + name);
		}
		return member;
	}

}
