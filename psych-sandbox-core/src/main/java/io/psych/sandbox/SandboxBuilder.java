package io.psych.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.psych.sandbox.backend.Backend;
import io.psych.sandbox.backend.BackendException;
import io.psych.sandbox.backend.BackendSelection;
import io.psych.sandbox.backend.BackendSelector;
import io.psych.sandbox.backend.ChildConfiguration;
import io.psych.sandbox.backend.ChildUsers;
import io.psych.sandbox.backend.Grader;
import io.psych.sandbox.backend.HostListeners;
import io.psych.sandbox.backend.InstanceFolder;
import io.psych.sandbox.backend.Interpreter;
import io.psych.sandbox.backend.InterpreterFinder;
import io.psych.sandbox.backend.Packages;
import io.psych.sandbox.backend.Proofs;
import io.psych.sandbox.backend.bubblewrap.BubblewrapBackend;
import io.psych.sandbox.backend.container.ContainerBackend;
import io.psych.sandbox.backend.container.ContainerSettings;
import io.psych.sandbox.backend.process.ProcessBackend;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.cgroup.CgroupsAbsentException;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.TenantPolicy;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.run.Admission;
import io.psych.sandbox.run.Pool;
import io.psych.sandbox.run.Runtime;
import io.psych.sandbox.run.Threads;
import io.psych.sandbox.run.Trial;
import io.psych.sandbox.spawn.ChildTree;
import io.psych.sandbox.spawn.HostUser;
import io.psych.sandbox.spawn.Spawner;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.tool.ToolCatalog;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a {@link Sandbox}. What can't work is refused when it is built, not when the
 * first program arrives.
 *
 * @since 0.1.0
 */
public final class SandboxBuilder {

	private static final Logger logger = LoggerFactory.getLogger(SandboxBuilder.class);

	private static final String AUTO = "auto";

	private static final String NOBODY = "nobody";

	private static final Pattern UID_RANGE = Pattern.compile("(\\d{1,9})-(\\d{1,9})");

	/**
	 * Below are the accounts of the system and of people, on every distribution we know.
	 */
	private static final int LOWEST_UID = 1000;

	private static final int MOST_UIDS = 4096;

	private static final int CONCURRENT_CALLS = 16;

	private static final int MOST_POOLED = 64;

	private static final Duration GRACE = Duration.ofSeconds(2);

	private String backend = AUTO;

	private @Nullable Path interpreter;

	private final List<Path> packages = new ArrayList<>();

	private Limits limits = Limits.defaults();

	private final Map<String, Limits> profiles = new HashMap<>();

	private final Map<String, Spec> specs = new LinkedHashMap<>();

	private TenantPolicy tenantPolicy = TenantPolicy.ALLOW;

	private Requirement requirement = Requirement.floor();

	private final List<String> environment = new ArrayList<>();

	private ToolGateway tools = ToolGateway.of(ToolCatalog.of());

	private @Nullable BlobStore blobs;

	private @Nullable String runAs;

	private boolean allowSameUser;

	private boolean networkAllowed;

	private @Nullable Path bubblewrap;

	private @Nullable ContainerSettings container;

	private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

	private Duration grace = GRACE;

	private @Nullable Executor toolExecutor;

	private int concurrentCalls = CONCURRENT_CALLS;

	private boolean controlGroups = true;

	private int poolSize;

	private Duration poolAge = Duration.ofMinutes(10);

	private int concurrentExecutions = 64;

	private int queueSize = 256;

	private Duration queuePatience = Duration.ofSeconds(30);

	private String operatingSystem = System.getProperty("os.name");

	/** For fault injection: takes an enforcer away from a backend. */
	private UnaryOperator<Backend> backendDecorator = UnaryOperator.identity();

	private Supplier<Threads> threads = Threads::new;

	private Spawner spawner = new Spawner();

	SandboxBuilder() {
	}

	/**
	 * Set the backend.
	 * @param name {@code auto}, {@code bubblewrap}, {@code container} or {@code process}
	 * @return this builder
	 */
	public SandboxBuilder backend(String name) {
		this.backend = name;
		return this;
	}

	/**
	 * Set the interpreter.
	 * @param interpreter an absolute path, or a name that is on the PATH of this JVM
	 * @return this builder
	 */
	public SandboxBuilder interpreter(Path interpreter) {
		this.interpreter = interpreter;
		return this;
	}

	/**
	 * Add Python packages that programs can import, read-only. Without any that is the
	 * standard library.
	 * @param folders virtual environments, and folders that hold packages, by their
	 * absolute paths; all of each can be read by programs
	 * @return this builder
	 */
	public SandboxBuilder packages(Collection<Path> folders) {
		this.packages.addAll(folders);
		return this;
	}

	/**
	 * Set the limits of an execution without a profile.
	 * @param limits the limits
	 * @return this builder
	 */
	public SandboxBuilder limits(Limits limits) {
		this.limits = limits;
		return this;
	}

	/**
	 * Add a profile.
	 * @param name its name
	 * @param limits the limits of an execution that names it
	 * @return this builder
	 */
	public SandboxBuilder profile(String name, Limits limits) {
		this.profiles.put(name, limits);
		return this;
	}

	/**
	 * Publish a Spec, in place of one of the same name.
	 * @param spec the Spec
	 * @return this builder
	 */
	public SandboxBuilder spec(Spec spec) {
		this.specs.put(spec.name(), spec);
		return this;
	}

	/**
	 * Set what decides on what the executions of a tenant get less.
	 * @param policy the policy
	 * @return this builder
	 */
	public SandboxBuilder tenantPolicy(TenantPolicy policy) {
		this.tenantPolicy = policy;
		return this;
	}

	/**
	 * Set what isolation every execution must have.
	 * @param requirement the requirement
	 * @return this builder
	 */
	public SandboxBuilder require(Requirement requirement) {
		this.requirement = requirement;
		return this;
	}

	/**
	 * Add variables of this JVM's environment that programs may see.
	 * @param allowedVariableNames their names
	 * @return this builder
	 */
	public SandboxBuilder environment(Collection<String> allowedVariableNames) {
		this.environment.addAll(allowedVariableNames);
		return this;
	}

	/**
	 * Set the tools that programs may call, each of them without asking anybody.
	 * @param catalog the tools, asked for anew by every execution
	 * @return this builder
	 */
	public SandboxBuilder tools(ToolCatalog catalog) {
		return tools(ToolGateway.of(catalog));
	}

	/**
	 * Set the way to the tools that programs may call.
	 * @param gateway the gateway, with the policy and the log of this deployment
	 * @return this builder
	 */
	public SandboxBuilder tools(ToolGateway gateway) {
		this.tools = gateway;
		return this;
	}

	/**
	 * Set where it is kept what executions leave behind and is not small.
	 * @param store the store; it is not closed with the sandbox
	 * @return this builder
	 */
	public SandboxBuilder blobStore(BlobStore store) {
		this.blobs = store;
		return this;
	}

	/**
	 * Set the user that programs run as. By default that is {@code nobody} when this JVM
	 * is root, and the user of this JVM elsewhere.
	 * @param user a name, a number, or for root a range of numbers such as
	 * {@code 60000-60063}, each for one execution at a time
	 * @return this builder
	 */
	public SandboxBuilder runAs(String user) {
		this.runAs = user;
		return this;
	}

	/**
	 * Set whether programs may run as the user of this JVM without a boundary between the
	 * two.
	 * @param allow whether they may
	 * @return this builder
	 */
	public SandboxBuilder allowSameUser(boolean allow) {
		this.allowSameUser = allow;
		return this;
	}

	/**
	 * Set whether a request may ask for the host's network.
	 * @param allowed whether it may
	 * @return this builder
	 */
	public SandboxBuilder networkAllowed(boolean allowed) {
		this.networkAllowed = allowed;
		return this;
	}

	/**
	 * Set the bubblewrap to use.
	 * @param executable its absolute path
	 * @return this builder
	 */
	public SandboxBuilder bubblewrap(Path executable) {
		this.bubblewrap = executable;
		return this;
	}

	/**
	 * Set which containers to use. With these {@code auto} takes them where bubblewrap
	 * can't be used.
	 * @param settings the image, and how to run it
	 * @return this builder
	 */
	public SandboxBuilder container(ContainerSettings settings) {
		this.container = settings;
		return this;
	}

	/**
	 * Set where the folder of the sandbox is made.
	 * @param parent an existing folder that programs' user can pass through
	 * @return this builder
	 */
	public SandboxBuilder folder(Path parent) {
		this.folder = parent;
		return this;
	}

	/**
	 * Set what a program gets to end by itself before it is killed.
	 * @param grace the time
	 * @return this builder
	 */
	public SandboxBuilder teardownGrace(Duration grace) {
		this.grace = grace;
		return this;
	}

	/**
	 * Set where tools run.
	 * @param executor runs each call on a thread of its own, which is interrupted when
	 * the call must end; it is not shut down with the sandbox
	 * @return this builder
	 */
	public SandboxBuilder toolExecutor(Executor executor) {
		this.toolExecutor = executor;
		return this;
	}

	/**
	 * Set how many calls of one execution may run at once.
	 * @param calls the number
	 * @return this builder
	 */
	public SandboxBuilder concurrentCalls(int calls) {
		this.concurrentCalls = calls;
		return this;
	}

	/**
	 * Set how many children are started ahead and wait for a program. By default none: a
	 * service that executes programs time and again wants two or so.
	 * @param size how many wait for each size of workspace among the limits and profiles;
	 * some 5 MB of memory each
	 * @param age how long a child may wait before it is replaced
	 * @return this builder
	 */
	public SandboxBuilder pool(int size, Duration age) {
		this.poolSize = size;
		this.poolAge = age;
		return this;
	}

	/**
	 * Set how many executions run at once. Those beyond wait in the queue of their
	 * tenant, and the tenants take turns.
	 * @param executions the number
	 * @param queue how many of one tenant may wait; beyond it an execution is refused at
	 * once
	 * @param patience how long one may wait
	 * @return this builder
	 */
	public SandboxBuilder concurrentExecutions(int executions, int queue, Duration patience) {
		this.concurrentExecutions = executions;
		this.queueSize = queue;
		this.queuePatience = patience;
		return this;
	}

	SandboxBuilder backendDecorator(UnaryOperator<Backend> decorator) {
		this.backendDecorator = decorator;
		return this;
	}

	SandboxBuilder spawner(Spawner spawner) {
		this.spawner = spawner;
		return this;
	}

	SandboxBuilder threads(Supplier<Threads> threads) {
		this.threads = threads;
		return this;
	}

	/**
	 * Build the sandbox: the interpreter is run, and the strongest backend that proves
	 * itself is taken. Takes some hundred milliseconds.
	 * @return the sandbox
	 * @throws SandboxConfigurationException if it is configured in a way that can't work
	 * @throws NoUsableBackendException if no backend proves itself
	 */
	public Sandbox build() {
		check();
		checkSpecs();
		checkSystem();
		HostUser current = HostUser.current();
		ChildUsers users = childUsers(current);
		Threads threads = this.threads.get();
		HostListeners listeners = HostListeners.open();
		InstanceFolder instance = null;
		Cgroups cgroups = null;
		Sandbox sandbox = null;
		try {
			instance = makeFolder(users);
			cgroups = this.controlGroups ? findCgroups() : null;
			sandbox = assemble(current, threads, listeners, instance, cgroups);
			return sandbox;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("interrupted while the sandbox was built", ex);
		}
		finally {
			if (sandbox == null) {
				Sandbox.release(threads, listeners, instance, cgroups);
			}
		}
	}

	private void check() {
		if (!Set.of(AUTO, BubblewrapBackend.NAME, ContainerBackend.NAME, ProcessBackend.NAME).contains(this.backend)) {
			throw refused("backend", this.backend, "there is no such backend",
					"Set it to auto, bubblewrap, container or process.", null);
		}
		if (this.backend.equals(ContainerBackend.NAME) && this.container == null) {
			throw refused("container.image", "not set", "containers need an image, and none is ever pulled",
					"Set it to an image with Python that the engine has, such as python:3-slim.", null);
		}
		if (this.grace.isNegative() || this.grace.isZero()) {
			throw refused("teardown-grace", this.grace.toString(), "a program must get a moment to end by itself",
					"Set it to 1s or more.", null);
		}
		if (this.poolSize < 0 || this.poolSize > MOST_POOLED) {
			throw refused("pool.size", Integer.toString(this.poolSize),
					"it is how many children wait, from 0 to " + MOST_POOLED, "Set it to 0 for none, or to 2.", null);
		}
		if (this.poolAge.toMillis() < 1) {
			throw refused("pool.max-age", this.poolAge.toString(), "a child could never be used", "Set it to 10m.",
					null);
		}
		if (this.concurrentExecutions < 1) {
			throw refused("concurrent-executions", Integer.toString(this.concurrentExecutions),
					"no program could ever be executed", "Set it to 1 or more.", null);
		}
		if (this.queueSize < 0) {
			throw refused("queue.size", Integer.toString(this.queueSize), "it can't be negative",
					"Set it to 0 to refuse at once, or more.", null);
		}
		if (this.queuePatience.isNegative() || this.queuePatience.isZero()) {
			throw refused("queue.patience", this.queuePatience.toString(), "nothing could ever wait",
					"Set queue.size to 0 to refuse at once, or this to 30s.", null);
		}
		if (this.concurrentCalls < 1) {
			throw refused("concurrent-calls", Integer.toString(this.concurrentCalls), "no tool could ever be called",
					"Set it to 1 or more.", null);
		}
	}

	/** What a Spec says of itself it has checked; its profile is this deployment's. */
	private void checkSpecs() {
		for (Spec spec : this.specs.values()) {
			String profile = spec.profile();
			if (profile != null && !this.profiles.containsKey(profile)) {
				throw refused("specs." + spec.name() + ".profile", profile,
						"there is no such profile, psych.sandbox.profiles has "
								+ (this.profiles.isEmpty() ? "none" : new TreeSet<>(this.profiles.keySet())),
						"Name one of them, or add it to psych.sandbox.profiles.", null);
			}
		}
	}

	private void checkSystem() {
		if (!this.operatingSystem.equals("Linux")) {
			List<BackendSelection.Candidate> candidates = Stream.of(BubblewrapBackend.NAME, ProcessBackend.NAME)
				.map((name) -> new BackendSelection.Candidate(name, false,
						"it needs Linux, and this host is " + this.operatingSystem,
						"Run the service on Linux, for instance in a virtual machine.", null))
				.toList();
			throw new NoUsableBackendException(new BackendSelection(null, candidates));
		}
	}

	SandboxBuilder withoutControlGroups() {
		this.controlGroups = false;
		return this;
	}

	SandboxBuilder operatingSystem(String name) {
		this.operatingSystem = name;
		return this;
	}

	private ChildUsers childUsers(HostUser current) {
		String wanted = (this.runAs != null) ? this.runAs : current.isRoot() ? NOBODY : current.name();
		Matcher range = UID_RANGE.matcher(wanted);
		if (range.matches()) {
			return uidRange(current, wanted, Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
		}
		HostUser user = HostUser.find(wanted);
		if (user == null) {
			throw refused("run-as", wanted, "there is no such user",
					"Name a user of this host, its number, or a range of numbers such as 60000-60063.", null);
		}
		if (user.isRoot()) {
			throw refused("run-as", wanted, "programs never run as root", "Name an unprivileged user, such as nobody.",
					null);
		}
		if (!current.isRoot() && user.uid() != current.uid()) {
			throw onlyRoot(current, wanted);
		}
		return ChildUsers.shared(user);
	}

	private ChildUsers uidRange(HostUser current, String wanted, int first, int last) {
		if (!current.isRoot()) {
			throw onlyRoot(current, wanted);
		}
		if (first < LOWEST_UID || last < first || last - first >= MOST_UIDS) {
			throw refused("run-as", wanted,
					"a range begins at " + LOWEST_UID + " or above and has 1 to " + MOST_UIDS + " numbers",
					"Name numbers that belong to nobody, such as 60000-60063.", null);
		}
		return ChildUsers.range(first, last);
	}

	private static SandboxConfigurationException onlyRoot(HostUser current, String wanted) {
		return refused("run-as", wanted,
				"this JVM runs as " + current.name() + ", and only root can start programs" + " as another user",
				"Remove the property, or run the service as root.", null);
	}

	private InstanceFolder makeFolder(ChildUsers users) {
		try {
			return InstanceFolder.create(this.folder, users);
		}
		catch (IOException ex) {
			throw refused("folder", this.folder.toString(), "no folder can be made in it: " + ex.getMessage(),
					"Name an existing, writable folder with a short path, such as /tmp.", ex);
		}
	}

	private static @Nullable Cgroups findCgroups() {
		Cgroups cgroups;
		try {
			cgroups = Cgroups.find();
		}
		catch (CgroupsAbsentException ex) {
			logger.info("Memory is bounded for each process only, there are no control groups: {}. {}", ex.getMessage(),
					(ex.remedy() != null) ? ex.remedy() : "");
			return null;
		}
		try {
			Cgroups.Leftovers left = cgroups.removeLeftovers();
			ChildTree.killOrphans(left.processes());
			left.failures()
				.forEach((failure) -> logger.warn("A control group of a dead instance is left: {}", failure));
		}
		catch (IOException ex) {
			logger.warn("Control groups of dead instances can't be looked for: {}", ex.toString());
		}
		return cgroups;
	}

	private Sandbox assemble(HostUser current, Threads threads, HostListeners listeners, InstanceFolder instance,
			@Nullable Cgroups cgroups) throws InterruptedException {
		Spawner spawner = this.spawner;
		ChildConfiguration children = new ChildConfiguration(findInterpreter(instance, spawner), instance, listeners,
				allowedEnvironment());
		Trial trial = new Trial(children, spawner, threads);
		Grader grader = control(trial);
		Executor executor = (this.toolExecutor != null) ? this.toolExecutor : threads.tools();
		BackendSelector.Selected<Trial.Passed> selected = new BackendSelector<>(candidates(children, current, spawner),
				(backend) -> trial.deadline(new Runtime(backend, instance, spawner, grader, () -> Proofs.NONE, cgroups,
						threads, executor, this.concurrentCalls, this.grace, null)))
			.select();
		Trial.Passed passed = selected.attempt();
		if (passed == null) {
			throw new NoUsableBackendException(selected.selection());
		}
		Proofs proved = passed.runtime().proofs().get();
		Cancellation closing = new Cancellation();
		CompletableFuture<Proofs> all = trial.slow(passed.runtime(), proved, threads.pumps(), closing);
		// An execution does not wait for the proof of a limit that it does not require.
		Supplier<Proofs> proofs = Sandbox.isSlow(this.requirement) ? all::join
				: () -> all.getNow(proved.withCpu(Proofs.PENDING).withMemory(Proofs.PENDING));
		Runtime runtime = passed.runtime().withProofs(proofs);
		Admission admission = new Admission(this.concurrentExecutions, this.queueSize, this.queuePatience);
		return new Sandbox((this.poolSize > 0) ? runtime.withPool(pool(runtime)) : runtime, admission, all, closing,
				listeners, this.tools, this.blobs, selected.selection(), passed.observation(),
				new Deployment(this.limits, Map.copyOf(this.profiles), this.requirement, this.networkAllowed,
						Map.copyOf(this.specs), this.tenantPolicy),
				runtime.backend().interpreter(children.interpreter()));
	}

	private Pool pool(Runtime runtime) {
		List<Limits> limits = new ArrayList<>(List.of(this.limits));
		limits.addAll(this.profiles.values());
		// A child keeps the user it was started as, of which a range has only so many.
		int users = runtime.instance().users().most();
		Pool pool = new Pool(runtime, limits, Math.min(this.poolSize, users / 2), this.poolAge);
		pool.fill();
		return pool;
	}

	private List<BackendSelector.Candidate> candidates(ChildConfiguration children, HostUser current, Spawner spawner) {
		List<BackendSelector.Candidate> candidates = new ArrayList<>();
		if (tries(BubblewrapBackend.NAME)) {
			candidates.add(new BackendSelector.Candidate(BubblewrapBackend.NAME, () -> this.backendDecorator
				.apply(BubblewrapBackend.create(children, this.bubblewrap, current, spawner))));
		}
		ContainerSettings container = this.container;
		if (tries(ContainerBackend.NAME) && container != null) {
			candidates.add(new BackendSelector.Candidate(ContainerBackend.NAME,
					() -> this.backendDecorator.apply(ContainerBackend.create(children, container, current, spawner))));
		}
		if (tries(ProcessBackend.NAME)) {
			candidates.add(new BackendSelector.Candidate(ProcessBackend.NAME,
					() -> this.backendDecorator.apply(ProcessBackend.create(children, current, this.allowSameUser))));
		}
		return candidates;
	}

	private boolean tries(String name) {
		return this.backend.equals(AUTO) || this.backend.equals(name);
	}

	private Interpreter findInterpreter(InstanceFolder instance, Spawner spawner) throws InterruptedException {
		Interpreter found;
		try {
			found = new InterpreterFinder(instance, spawner).find(this.interpreter);
		}
		catch (BackendException ex) {
			throw refused("interpreter", (this.interpreter != null) ? this.interpreter.toString() : "not set",
					String.valueOf(ex.getMessage()),
					(ex.remedy() != null) ? ex.remedy() : "Set it to the absolute path of a python3 (CPython).", ex);
		}
		try {
			return found.withPackages(Packages.find(this.packages, found));
		}
		catch (BackendException ex) {
			throw refused("packages", this.packages.toString(), String.valueOf(ex.getMessage()),
					String.valueOf(ex.remedy()), ex);
		}
	}

	private Grader control(Trial trial) throws InterruptedException {
		try {
			return trial.control();
		}
		catch (BackendException ex) {
			throw refused("interpreter", (this.interpreter != null) ? this.interpreter.toString() : "not set",
					String.valueOf(ex.getMessage()), "Set it to the absolute path of a python3 (CPython).", ex);
		}
	}

	private Map<String, String> allowedEnvironment() {
		Map<String, String> allowed = new HashMap<>();
		for (String name : this.environment) {
			String value = System.getenv(name);
			if (value != null) {
				allowed.put(name, value);
			}
		}
		return allowed;
	}

	private static SandboxConfigurationException refused(String property, String value, String problem, String fix,
			@Nullable Throwable cause) {
		return new SandboxConfigurationException(property, value, problem, fix, cause);
	}

}
