package io.psych.sandbox.terms;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;

/**
 * The JSON form of limits that narrow others: those that narrow nothing are left out, and
 * a limit that is left out yields to one it depends on.
 */
final class LimitsJson {

	private static final Limits WIDEST = Limits.widest();

	private LimitsJson() {
	}

	static Map<String, Object> write(Limits limits) {
		Map<String, Object> json = new LinkedHashMap<>();
		put(json, "cpu", limits.cpu(), WIDEST.cpu());
		put(json, "wallTime", limits.wallTime(), WIDEST.wallTime());
		put(json, "toolTimeout", limits.toolTimeout(), WIDEST.toolTimeout());
		put(json, "addressSpace", limits.addressSpace(), WIDEST.addressSpace());
		put(json, "fileSize", limits.fileSize(), WIDEST.fileSize());
		put(json, "workspace", limits.workspace(), WIDEST.workspace());
		put(json, "processes", limits.processes(), WIDEST.processes());
		put(json, "stream", limits.stream(), WIDEST.stream());
		put(json, "capture", limits.capture(), WIDEST.capture());
		put(json, "value", limits.value(), WIDEST.value());
		put(json, "program", limits.program(), WIDEST.program());
		put(json, "calls", write(limits.calls()), Map.of());
		put(json, "artifacts", write(limits.artifacts()), Map.of());
		return json;
	}

	private static Map<String, Object> write(CallLimits calls) {
		CallLimits widest = WIDEST.calls();
		Map<String, Object> json = new LinkedHashMap<>();
		put(json, "perExecution", calls.perExecution(), widest.perExecution());
		put(json, "perRun", calls.perRun(), widest.perRun());
		put(json, "arguments", calls.arguments(), widest.arguments());
		put(json, "result", calls.result(), widest.result());
		put(json, "total", calls.total(), widest.total());
		put(json, "kept", calls.kept(), widest.kept());
		return json;
	}

	private static Map<String, Object> write(ArtifactLimits artifacts) {
		ArtifactLimits widest = WIDEST.artifacts();
		Map<String, Object> json = new LinkedHashMap<>();
		put(json, "files", artifacts.files(), widest.files());
		put(json, "depth", artifacts.depth(), widest.depth());
		put(json, "total", artifacts.total(), widest.total());
		put(json, "time", artifacts.time(), widest.time());
		return json;
	}

	private static void put(Map<String, Object> json, String name, Object value, Object widest) {
		if (!value.equals(widest)) {
			json.put(name, (value instanceof ByteSize size) ? (Object) size.bytes()
					: (value instanceof Duration duration) ? duration.toString() : value);
		}
	}

	static Limits read(SpecMembers json) {
		Duration wall = json.duration("wallTime", WIDEST.wallTime());
		ByteSize files = json.bytes("workspace", WIDEST.workspace());
		ByteSize captured = json.bytes("capture", WIDEST.capture());
		Limits limits = new Limits(json.duration("cpu", WIDEST.cpu()), wall,
				json.duration("toolTimeout", min(WIDEST.toolTimeout(), wall)),
				json.bytes("addressSpace", WIDEST.addressSpace()),
				json.bytes("fileSize", min(WIDEST.fileSize(), files)), files,
				json.number("processes", WIDEST.processes()), json.bytes("stream", min(WIDEST.stream(), captured)),
				captured, json.bytes("value", WIDEST.value()), json.bytes("program", WIDEST.program()), calls(json),
				artifacts(json));
		json.checkAllRead();
		return limits;
	}

	private static CallLimits calls(SpecMembers limits) {
		CallLimits widest = WIDEST.calls();
		SpecMembers json = limits.object("calls");
		if (json == null) {
			return widest;
		}
		int run = json.number("perRun", widest.perRun());
		ByteSize total = json.bytes("total", widest.total());
		CallLimits calls = new CallLimits(json.number("perExecution", Math.min(widest.perExecution(), run)), run,
				json.bytes("arguments", min(widest.arguments(), total)),
				json.bytes("result", min(widest.result(), total)), total, json.bytes("kept", widest.kept()));
		json.checkAllRead();
		return calls;
	}

	private static ArtifactLimits artifacts(SpecMembers limits) {
		ArtifactLimits widest = WIDEST.artifacts();
		SpecMembers json = limits.object("artifacts");
		if (json == null) {
			return widest;
		}
		ArtifactLimits artifacts = new ArtifactLimits(json.number("files", widest.files()),
				json.number("depth", widest.depth()), json.bytes("total", widest.total()),
				json.duration("time", widest.time()));
		json.checkAllRead();
		return artifacts;
	}

	private static <T extends Comparable<T>> T min(T left, T right) {
		return (left.compareTo(right) <= 0) ? left : right;
	}

}
