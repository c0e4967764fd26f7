package io.psych.sandbox.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.UnknownSpecException;
import io.psych.sandbox.limits.ArtifactLimits;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.LimitException;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.spring.a2a.A2aPeerProperties;
import io.psych.sandbox.spring.http.HttpToolProperties;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.PatternMatchUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties of the sandbox. They check themselves, because annotations of
 * Bean Validation are ignored without a word where no validator is on the classpath.
 *
 * @param enabled Whether the sandbox is set up at all.
 * @param backend Mechanism that isolates programs. "auto" takes the strongest that proves
 * itself on this host, and the log says why a stronger one was not taken.
 * @param interpreter Python interpreter that runs the programs. Detected when not set.
 * @param packages Python packages that programs can import beside the standard library:
 * virtual environments, and folders that hold packages, by their absolute paths. Programs
 * can read all of each.
 * @param folder Folder in which each execution gets a private one of its own. The folder
 * for temporary files of the JVM when not set.
 * @param runAs User that programs run as when the service runs as root: a name, a number,
 * or a range of numbers such as "60000-60063", each for one execution at a time. An
 * unprivileged user when not set.
 * @param allowSameUser Whether programs may run as the user of this service where no
 * other user can be had.
 * @param environment Names of the variables of this service's environment that programs
 * may see.
 * @param networkAllowed Whether a request that asks for it may keep the network of the
 * host.
 * @param teardownGrace Time between asking the processes of an execution to end and
 * killing them. If a duration suffix is not specified, seconds will be used.
 * @param concurrentCalls Number of tool calls of one execution that run at once.
 * @param concurrentExecutions Number of executions that run at once. The next ones wait,
 * each in the queue of its tenant, and the tenants take turns.
 * @param queue Executions that wait until others have ended.
 * @param pool Processes that are started ahead and wait for a program.
 * @param bubblewrap Settings of the bubblewrap backend.
 * @param container Settings of the container backend.
 * @param require Isolation without which no program is sent.
 * @param failFast Whether to fail the startup when there is no usable backend or when
 * what is required is not met. Otherwise the health tells and programs are refused.
 * @param limits Limits of an execution without a profile. Profiles inherit from them.
 * @param profiles Named sets of limits. A limit that is not set is the one of
 * "psych.sandbox.limits".
 * @param specs Definitions of agents by their names, each narrower than what is allowed
 * without one.
 * @param tools Choice among the tools of the application.
 * @param tool Settings of the "run_code" tool.
 * @param egress Where the tools of the host may connect to.
 * @param runLog Settings of the log of runs.
 * @param blob Where attachments that are too large for the log of a run are stored.
 * @param credentials Headers that prove to services who calls, by the name that tools
 * refer to them with.
 * @since 0.1.0
 */
@ConfigurationProperties(SandboxProperties.PREFIX)
public record SandboxProperties(@DefaultValue("true") boolean enabled, @DefaultValue("auto") String backend,
		@Nullable Path interpreter, @DefaultValue List<Path> packages, @Nullable Path folder, @Nullable String runAs,
		boolean allowSameUser, @DefaultValue List<String> environment, boolean networkAllowed,
		@DefaultValue("2s") @DurationUnit(ChronoUnit.SECONDS) Duration teardownGrace,
		@DefaultValue("16") int concurrentCalls, @DefaultValue("64") int concurrentExecutions,
		@NestedConfigurationProperty @DefaultValue QueueProperties queue,
		@NestedConfigurationProperty @DefaultValue PoolProperties pool, @DefaultValue Bubblewrap bubblewrap,
		@NestedConfigurationProperty @DefaultValue ContainerProperties container, @DefaultValue Require require,
		boolean failFast, @DefaultValue LimitValues limits, @DefaultValue Map<String, LimitValues> profiles,
		@DefaultValue Map<String, SpecProperties> specs, @DefaultValue Tools tools, @DefaultValue Tool tool,
		@NestedConfigurationProperty @DefaultValue EgressProperties egress, @DefaultValue RunLog runLog,
		@NestedConfigurationProperty @DefaultValue BlobProperties blob,
		@DefaultValue Map<String, CredentialProperties> credentials) {

	static final String PREFIX = "psych.sandbox";

	public SandboxProperties {
		packages = List.copyOf(packages);
		environment = List.copyOf(environment);
		profiles = Map.copyOf(profiles);
		specs = Map.copyOf(specs);
		credentials = Map.copyOf(credentials);
		Limits base = limits.over(Limits.defaults(), PREFIX + ".limits");
		profiles.forEach((name, values) -> values.over(base, prefix(name)));
		specs.forEach((name, values) -> values.toSpec(name));
		require.toRequirement(PREFIX + ".require");
		credentials.forEach((name, credential) -> credential.toCredential(name));
	}

	/**
	 * Return the limits of an execution without a profile.
	 * @return the limits
	 */
	Limits defaultLimits() {
		return this.limits.over(Limits.defaults(), PREFIX + ".limits");
	}

	/**
	 * Return the limits of each profile.
	 * @return the limits by name
	 */
	Map<String, Limits> profileLimits() {
		Limits base = defaultLimits();
		Map<String, Limits> profileLimits = new LinkedHashMap<>();
		this.profiles.forEach((name, values) -> profileLimits.put(name, values.over(base, prefix(name))));
		return profileLimits;
	}

	/**
	 * Return what isolation every execution must have.
	 * @return the requirement
	 */
	Requirement requirement() {
		return this.require.toRequirement(PREFIX + ".require");
	}

	/**
	 * Return the published Specs.
	 * @return the Specs
	 */
	List<Spec> publishedSpecs() {
		return this.specs.entrySet().stream().map((entry) -> entry.getValue().toSpec(entry.getKey())).toList();
	}

	Spec publishedSpec(String name) {
		SpecProperties values = this.specs.get(name);
		if (values == null) {
			throw new UnknownSpecException(name, this.specs.keySet());
		}
		return values.toSpec(name);
	}

	private static String prefix(String profile) {
		return PREFIX + ".profiles." + profile;
	}

	private static void check(String name, Object value, boolean holds, String problem, String fix) {
		if (!holds) {
			throw new InvalidPropertyException(PREFIX + "." + name, value.toString(), problem, fix);
		}
	}

	/**
	 * Settings of the bubblewrap backend.
	 *
	 * @param executable Path of the bwrap program. Looked for in the usual places when
	 * not set.
	 */
	public record Bubblewrap(@Nullable Path executable) {

	}

	/**
	 * Isolation without which no program is sent.
	 *
	 * @param level Weakest level of isolation that is accepted.
	 * @param guarantees Guarantees that must be enforced, whatever the level.
	 * @param networkDenial Whether each execution must prove that it has no network.
	 */
	public record Require(@DefaultValue("process") Level level, @DefaultValue List<Guarantee> guarantees,
			boolean networkDenial) {

		public Require {
			guarantees = List.copyOf(guarantees);
		}

		Requirement toRequirement(String prefix) {
			if (this.level == Level.NONE) {
				throw new InvalidPropertyException(prefix + ".level", this.level.id(),
						"but no program is ever sent to less than a contained process",
						"Set it to process or isolated.");
			}
			Set<Guarantee> all = EnumSet.noneOf(Guarantee.class);
			all.addAll(this.guarantees);
			if (this.networkDenial) {
				all.add(Guarantee.NETWORK);
			}
			return new Requirement(this.level, all);
		}

	}

	/**
	 * A set of limits. One that is not set is inherited.
	 *
	 * @param cpu CPU time one process may consume, in whole seconds. If a duration suffix
	 * is not specified, seconds will be used.
	 * @param wallTime Time one execution may take, waiting for tools included. If a
	 * duration suffix is not specified, seconds will be used.
	 * @param toolTimeout Time one tool call may take. Where it is not set, it is never
	 * more than the wall time. If a duration suffix is not specified, seconds will be
	 * used.
	 * @param addressSpace Virtual memory of one process.
	 * @param fileSize Size of one file a program writes. Where it is not set, it is never
	 * more than the workspace.
	 * @param workspace All bytes that the writable folders of one execution may hold.
	 * @param processes Number of processes and threads one execution may have at once.
	 * @param stream Bytes shown of each of stdout and stderr, and of the value to a
	 * model.
	 * @param capture Bytes kept of each of stdout and stderr to be read later. Where it
	 * is not set, it is never less than what is shown.
	 * @param value Bytes of the value a program hands back.
	 * @param program Bytes of the text of a program.
	 * @param calls How much of the tools one execution and one run may use.
	 * @param artifacts How much of what a program leaves in its workspace is collected.
	 */
	public record LimitValues(@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration cpu,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration wallTime,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration toolTimeout, @Nullable DataSize addressSpace,
			@Nullable DataSize fileSize, @Nullable DataSize workspace, @Nullable Integer processes,
			@Nullable DataSize stream, @Nullable DataSize capture, @Nullable DataSize value, @Nullable DataSize program,
			@Nullable CallValues calls, @Nullable ArtifactValues artifacts) {

		/**
		 * Return these limits with those that are not set taken from others. An inherited
		 * tool timeout, file size or preview is lowered to the wall time, workspace or
		 * capture set here.
		 */
		Limits over(Limits base, String prefix) {
			Duration wall = or(this.wallTime, base.wallTime());
			ByteSize files = bytes(this.workspace, base.workspace(), prefix + ".workspace");
			ByteSize shown = bytes(this.stream,
					min(base.stream(), bytes(this.capture, base.stream(), prefix + ".capture")), prefix + ".stream");
			try {
				return new Limits(or(this.cpu, base.cpu()), wall, or(this.toolTimeout, min(base.toolTimeout(), wall)),
						bytes(this.addressSpace, base.addressSpace(), prefix + ".address-space"),
						bytes(this.fileSize, min(base.fileSize(), files), prefix + ".file-size"), files,
						or(this.processes, base.processes()), shown,
						bytes(this.capture, max(base.capture(), shown), prefix + ".capture"),
						bytes(this.value, base.value(), prefix + ".value"),
						bytes(this.program, base.program(), prefix + ".program"),
						(this.calls != null) ? this.calls.over(base.calls(), prefix + ".calls") : base.calls(),
						(this.artifacts != null) ? this.artifacts.over(base.artifacts(), prefix + ".artifacts")
								: base.artifacts());
			}
			catch (LimitException ex) {
				throw InvalidPropertyException.of(prefix, ex);
			}
		}

		static ByteSize bytes(@Nullable DataSize size, ByteSize inherited, String property) {
			if (size == null) {
				return inherited;
			}
			if (size.toBytes() <= 0) {
				throw new InvalidPropertyException(property, size.toString(), "but must be positive",
						"Set it to 1KB or more.");
			}
			return ByteSize.ofBytes(size.toBytes());
		}

		private static <T> T or(@Nullable T value, T inherited) {
			return (value != null) ? value : inherited;
		}

		private static <T extends Comparable<T>> T min(T left, T right) {
			return (left.compareTo(right) <= 0) ? left : right;
		}

		private static <T extends Comparable<T>> T max(T left, T right) {
			return (left.compareTo(right) >= 0) ? left : right;
		}

	}

	/**
	 * How much of what a program leaves in its workspace is collected. What is not set is
	 * inherited.
	 *
	 * @param files Number of files that are collected. With 0 none are.
	 * @param depth Number of folders deep a collected file may lie.
	 * @param total Bytes of all collected files together.
	 * @param time Time the collecting may take. If a duration suffix is not specified,
	 * seconds will be used.
	 */
	public record ArtifactValues(@Nullable Integer files, @Nullable Integer depth, @Nullable DataSize total,
			@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration time) {

		ArtifactLimits over(ArtifactLimits base, String prefix) {
			return new ArtifactLimits((this.files != null) ? this.files : base.files(),
					(this.depth != null) ? this.depth : base.depth(),
					LimitValues.bytes(this.total, base.total(), prefix + ".total"),
					(this.time != null) ? this.time : base.time());
		}

	}

	/**
	 * How much of the tools one execution and one run may use. What is not set is
	 * inherited.
	 *
	 * @param perExecution Number of calls one program may make. Where it is not set, it
	 * is never more than what all programs of one run may make.
	 * @param perRun Number of calls all programs of one run may make together. Where it
	 * is not set, it is never less than what one program may make.
	 * @param arguments Bytes of the arguments of one call. Where it is not set, it is
	 * never more than the total.
	 * @param result Bytes of the result of one call. Where it is not set, it is never
	 * more than the total. A larger one is kept for the program to read in parts, or
	 * refused; it is never shortened.
	 * @param total Bytes of the arguments and results of one program together. Where it
	 * is not set, it is never less than what one call may have.
	 * @param kept Bytes of results over the bound of one call that are kept, in memory,
	 * for one program.
	 */
	public record CallValues(@Nullable Integer perExecution, @Nullable Integer perRun, @Nullable DataSize arguments,
			@Nullable DataSize result, @Nullable DataSize total, @Nullable DataSize kept) {

		CallLimits over(CallLimits base, String prefix) {
			int inheritedOne = (this.perRun != null) ? Math.min(base.perExecution(), this.perRun) : base.perExecution();
			int one = (this.perExecution != null) ? this.perExecution : inheritedOne;
			ByteSize most = LimitValues.bytes(this.total, base.total(), prefix + ".total");
			ByteSize sent = LimitValues.bytes(this.arguments, min(base.arguments(), most), prefix + ".arguments");
			ByteSize received = LimitValues.bytes(this.result, min(base.result(), most), prefix + ".result");
			ByteSize inherited = max(base.total(), max(sent, received));
			ByteSize held = (this.kept != null && this.kept.toBytes() == 0) ? ByteSize.ofBytes(0)
					: LimitValues.bytes(this.kept, base.kept(), prefix + ".kept");
			return new CallLimits(one, (this.perRun != null) ? this.perRun : Math.max(base.perRun(), one), sent,
					received, LimitValues.bytes(this.total, inherited, prefix + ".total"), held);
		}

		private static ByteSize min(ByteSize left, ByteSize right) {
			return (left.compareTo(right) <= 0) ? left : right;
		}

		private static ByteSize max(ByteSize left, ByteSize right) {
			return (left.compareTo(right) >= 0) ? left : right;
		}

	}

	/**
	 * Choice among the tools of the application.
	 *
	 * @param include Names of the tools that programs may call. An asterisk stands for
	 * any characters.
	 * @param exclude Names of the tools that programs may not call, even if included. An
	 * asterisk stands for any characters.
	 * @param capabilities What tools can do that keeps programs from calling them, by the
	 * name of the tool, for tools that do not say so themselves.
	 * @param http Tools that are one HTTP request each, by their name.
	 * @param a2a Agents whose skills become tools, by a name of ours.
	 */
	public record Tools(@DefaultValue("*") List<String> include, @DefaultValue List<String> exclude,
			@DefaultValue Map<String, Set<ToolCapability>> capabilities,
			@DefaultValue Map<String, HttpToolProperties> http, @DefaultValue Map<String, A2aPeerProperties> a2a) {

		public Tools {
			include = patterns("tools.include", include);
			exclude = patterns("tools.exclude", exclude);
			capabilities = Map.copyOf(capabilities);
			// In the order they were written.
			http = Collections.unmodifiableMap(new LinkedHashMap<>(http));
			a2a = Collections.unmodifiableMap(new LinkedHashMap<>(a2a));
		}

		boolean offers(String name) {
			return matches(this.include, name) && !matches(this.exclude, name);
		}

		private static List<String> patterns(String property, List<String> patterns) {
			check(property, patterns, patterns.stream().allMatch(StringUtils::hasText), "but a name can't be blank",
					"Remove the blank name.");
			return List.copyOf(patterns);
		}

		private static boolean matches(List<String> patterns, String name) {
			return PatternMatchUtils.simpleMatch(patterns.toArray(String[]::new), name);
		}

	}

	/**
	 * Settings of the log of runs.
	 *
	 * @param type Where runs are recorded. "auto" takes the database of the application
	 * where there is one.
	 */
	public record RunLog(@DefaultValue("auto") RunLogType type) {

	}

	/**
	 * Where runs are recorded.
	 */
	public enum RunLogType {

		/** In the database where there is one, otherwise in memory. */
		AUTO,

		/** In the memory of this JVM. */
		MEMORY,

		/** In the database of the application. */
		JDBC

	}

	/**
	 * Settings of the "run_code" tool.
	 *
	 * @param enabled Whether the tool is offered.
	 * @param exposeOverMcp Whether the MCP server of this application, if there is one,
	 * may offer the tool to its clients. They can then execute programs on this host.
	 */
	public record Tool(@DefaultValue("true") boolean enabled, boolean exposeOverMcp) {

	}

}
