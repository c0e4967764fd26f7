package io.psych.sandbox.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.IsolationReport;
import org.jspecify.annotations.Nullable;

/**
 * What the doctor found, for people and for machines.
 *
 * @param diagnoses one a backend, strongest first
 * @param automatic the backend {@code auto} takes, or {@code null} when none is usable
 */
record DoctorReport(List<Diagnosis> diagnoses, @Nullable String automatic) {

	DoctorReport {
		diagnoses = List.copyOf(diagnoses);
	}

	boolean usable() {
		return this.automatic != null;
	}

	String toText() {
		StringBuilder text = new StringBuilder();
		for (Diagnosis diagnosis : this.diagnoses) {
			IsolationReport report = diagnosis.report();
			if (report != null) {
				text.append("%s: usable with Python %s, level %s%n".formatted(diagnosis.backend(), diagnosis.python(),
						report.level().id()));
				report.findings().forEach((finding) -> append(text, finding));
			}
			else {
				text.append("%s: not usable%n  reason: %s%n".formatted(diagnosis.backend(), diagnosis.reason()));
				if (diagnosis.remedy() != null) {
					text.append("  remedy: %s%n".formatted(diagnosis.remedy()));
				}
			}
			text.append(System.lineSeparator());
		}
		return text.append(verdict()).toString();
	}

	private static void append(StringBuilder text, Finding finding) {
		text.append("  %-14s %-12s %s%n".formatted(finding.guarantee().id(), finding.grade().id(), finding.evidence()));
	}

	private String verdict() {
		return (this.automatic != null) ? "The backend that 'auto' takes here is " + this.automatic + "."
				: "No backend is usable here: no program can be executed.";
	}

	JsonValue toJson() {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("auto", this.automatic);
		json.put("backends", this.diagnoses.stream().map(DoctorReport::json).toList());
		return JsonValue.of(json);
	}

	private static Map<String, @Nullable Object> json(Diagnosis diagnosis) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", diagnosis.backend());
		json.put("usable", diagnosis.isUsable());
		json.put("reason", diagnosis.reason());
		json.put("remedy", diagnosis.remedy());
		json.put("python", diagnosis.python());
		IsolationReport report = diagnosis.report();
		if (report != null) {
			json.put("level", report.level().id());
			Map<String, Object> guarantees = new LinkedHashMap<>();
			for (Finding finding : report.findings()) {
				guarantees.put(finding.guarantee().id(),
						Map.of("grade", finding.grade().id(), "evidence", finding.evidence()));
			}
			json.put("guarantees", guarantees);
		}
		return json;
	}

}
