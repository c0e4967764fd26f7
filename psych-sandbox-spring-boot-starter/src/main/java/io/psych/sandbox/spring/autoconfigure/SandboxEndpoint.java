package io.psych.sandbox.spring.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.backend.BackendSelection;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.limits.Finding;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.run.Admission;
import io.psych.sandbox.run.PoolStatus;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.tool.ToolGateway;
import io.psych.sandbox.tool.ToolReport;
import io.psych.sandbox.wire.ProtocolVersion;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * {@link Endpoint} with what an operator asks of a sandbox: what it is, what it was
 * configured to, and how it is doing. It tells nothing of programs, tenants or
 * credentials, and starts nothing.
 */
@Endpoint(id = "sandbox", defaultAccess = Access.READ_ONLY)
final class SandboxEndpoint {

	private final ObjectProvider<Sandbox> sandbox;

	private final ObjectProvider<SandboxDetection> detection;

	private final ObjectProvider<ToolGateway> gateway;

	private final ObjectProvider<RunLog> log;

	private final ObjectProvider<BlobStore> blobs;

	SandboxEndpoint(ObjectProvider<Sandbox> sandbox, ObjectProvider<SandboxDetection> detection,
			ObjectProvider<ToolGateway> gateway, ObjectProvider<RunLog> log, ObjectProvider<BlobStore> blobs) {
		this.sandbox = sandbox;
		this.detection = detection;
		this.gateway = gateway;
		this.log = log;
		this.blobs = blobs;
	}

	/**
	 * Return all of it.
	 * @return what becomes the JSON of the answer
	 */
	@ReadOperation
	Map<String, @Nullable Object> describe() {
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		Sandbox sandbox = this.sandbox.getIfAvailable();
		all.put("versions", versions(sandbox));
		if (sandbox != null) {
			describe(sandbox, all);
		}
		else {
			all.put("backend", null);
			this.detection.ifAvailable((detection) -> all.put("backends", backends(detection.selection())));
		}
		ToolGateway gateway = this.gateway.getIfUnique();
		all.put("tools", (gateway != null) ? tools(gateway) : List.of());
		RunLog log = this.log.getIfUnique();
		all.put("runLog", (log != null) ? log.description() : null);
		BlobStore blobs = this.blobs.getIfUnique();
		all.put("blobs", (blobs != null) ? blobs.description() : null);
		return all;
	}

	private static Map<String, @Nullable Object> versions(@Nullable Sandbox sandbox) {
		Map<String, @Nullable Object> versions = new LinkedHashMap<>();
		// Of the jar; classes that are not in one have none.
		versions.put("sandbox", Sandbox.class.getPackage().getImplementationVersion());
		versions.put("protocol", ProtocolVersion.CURRENT);
		versions.put("python", (sandbox != null) ? sandbox.pythonVersion() : null);
		versions.put("packages", (sandbox != null) ? sandbox.packages() : List.of());
		return versions;
	}

	private static void describe(Sandbox sandbox, Map<String, @Nullable Object> all) {
		IsolationReport isolation = sandbox.isolation();
		all.put("backend", isolation.backend());
		all.put("level", isolation.level().id());
		all.put("guarantees", guarantees(isolation));
		all.put("require", requirement(sandbox.requirement()));
		all.put("unmet", sandbox.unmet());
		all.put("backends", backends(sandbox.selection()));
		all.put("limits", limits(sandbox.limits()));
		Map<String, @Nullable Object> profiles = new TreeMap<>();
		sandbox.profiles().forEach((name, limits) -> profiles.put(name, limits(limits)));
		all.put("profiles", profiles);
		Map<String, @Nullable Object> specs = new TreeMap<>();
		sandbox.specs().forEach((name, spec) -> specs.put(name, spec.digest()));
		all.put("specs", specs);
		all.put("pool", pool(sandbox.pool()));
		all.put("admission", admission(sandbox.admission()));
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

	private static Map<String, Object> requirement(Requirement requirement) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("level", requirement.level().id());
		json.put("guarantees", requirement.guarantees().stream().sorted().map(Guarantee::id).toList());
		return json;
	}

	private static List<Map<String, @Nullable Object>> backends(BackendSelection selection) {
		return selection.candidates().stream().map((candidate) -> {
			IsolationReport report = candidate.report();
			Map<String, @Nullable Object> json = new LinkedHashMap<>();
			json.put("name", candidate.name());
			json.put("usable", candidate.usable());
			json.put("reason", candidate.reason());
			json.put("remedy", candidate.remedy());
			json.put("level", (report != null) ? report.level().id() : null);
			return json;
		}).toList();
	}

	/** Limits have one JSON form, which is that of a Spec. */
	private static @Nullable Object limits(Limits limits) {
		return Spec.of("limits").withLimits(limits).toJson().members().get("limits");
	}

	private static Object tools(ToolGateway gateway) {
		try {
			return gateway.report(Scope.NONE).entries().stream().map(SandboxEndpoint::tool).toList();
		}
		catch (RuntimeException ex) {
			// Some of them are asked for at other hosts, and all else is still worth
			// telling.
			return Map.of("problem", "The tools can't be listed now: " + ex);
		}
	}

	private static Map<String, @Nullable Object> tool(ToolReport.Entry entry) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", entry.name());
		json.put("origin", entry.origin());
		json.put("reach", entry.reach().name().toLowerCase(Locale.ROOT));
		json.put("why", entry.why());
		return json;
	}

	private static Map<String, Object> pool(PoolStatus pool) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("size", pool.size());
		json.put("waiting", pool.waiting());
		json.put("taken", pool.taken());
		json.put("missed", pool.missed());
		json.put("expired", pool.expired());
		json.put("failed", pool.failed());
		return json;
	}

	private static Map<String, Object> admission(Admission.Status admission) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("max", admission.most());
		json.put("running", admission.running());
		json.put("waiting", admission.waiting());
		json.put("refused", admission.refused());
		return json;
	}

}
