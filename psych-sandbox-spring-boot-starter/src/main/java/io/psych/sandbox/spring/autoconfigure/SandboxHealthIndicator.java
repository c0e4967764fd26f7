package io.psych.sandbox.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.backend.BackendSelection;
import io.psych.sandbox.backend.BackendSelection.Candidate;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.runlog.RunLog;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * {@link HealthIndicator} with the level, the ten grades and what they rest on. Out of
 * service where programs are refused. Reports what was measured when the backend was
 * selected and starts nothing itself.
 */
final class SandboxHealthIndicator extends AbstractHealthIndicator {

	private final ObjectProvider<Sandbox> sandbox;

	private final ObjectProvider<SandboxDetection> detection;

	private final ObjectProvider<RunLog> log;

	private final ObjectProvider<BlobStore> blobs;

	SandboxHealthIndicator(ObjectProvider<Sandbox> sandbox, ObjectProvider<SandboxDetection> detection,
			ObjectProvider<RunLog> log, ObjectProvider<BlobStore> blobs) {
		super("Sandbox health check failed");
		this.sandbox = sandbox;
		this.detection = detection;
		this.log = log;
		this.blobs = blobs;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		Sandbox sandbox = this.sandbox.getIfAvailable();
		if (sandbox != null) {
			report(sandbox, builder);
			this.log.ifUnique((log) -> builder.withDetail("runLog", log.description()));
			BlobStore blobs = this.blobs.getIfUnique();
			builder.withDetail("blobs", (blobs != null) ? blobs.description() : "none: only what is small is kept");
			return;
		}
		builder.outOfService().withDetail("reason", "No backend is usable on this host, there is no run_code tool");
		this.detection.ifAvailable((detection) -> notTaken(detection.selection(), builder));
	}

	private static void report(Sandbox sandbox, Health.Builder builder) {
		IsolationReport isolation = sandbox.isolation();
		builder.up()
			.withDetail("level", isolation.level().id())
			.withDetail("backend", isolation.backend())
			.withDetail("python", sandbox.pythonVersion())
			.withDetail("guarantees", guarantees(isolation));
		notTaken(sandbox.selection(), builder);
		List<String> unmet = sandbox.unmet();
		if (!unmet.isEmpty()) {
			builder.outOfService().withDetail("unmet", unmet);
		}
	}

	private static Map<String, Object> guarantees(IsolationReport isolation) {
		Map<String, Object> guarantees = new LinkedHashMap<>();
		for (Finding finding : isolation.findings()) {
			Map<String, Object> details = new LinkedHashMap<>();
			details.put("grade", finding.grade().id());
			details.put("evidence", finding.evidence());
			guarantees.put(finding.guarantee().id(), details);
		}
		return guarantees;
	}

	private static void notTaken(BackendSelection selection, Health.Builder builder) {
		Map<String, Object> notTaken = new LinkedHashMap<>();
		for (Candidate candidate : SandboxDetection.unusable(selection)) {
			Map<String, @Nullable Object> details = new LinkedHashMap<>();
			details.put("reason", candidate.reason());
			if (candidate.remedy() != null) {
				details.put("remedy", candidate.remedy());
			}
			notTaken.put(candidate.name(), details);
		}
		if (!notTaken.isEmpty()) {
			builder.withDetail("notTaken", notTaken);
		}
	}

}
