package io.psych.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.psych.sandbox.attachment.Attachments;
import io.psych.sandbox.backend.BackendSelection;
import io.psych.sandbox.backend.HostListeners;
import io.psych.sandbox.backend.InstanceFolder;
import io.psych.sandbox.backend.Interpreter;
import io.psych.sandbox.backend.Observation;
import io.psych.sandbox.backend.Proofs;
import io.psych.sandbox.blob.BlobStore;
import io.psych.sandbox.cgroup.Cgroups;
import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.Cancellation;
import io.psych.sandbox.contract.Failure;
import io.psych.sandbox.contract.FailureKind;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.IsolationReport;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.run.Admission;
import io.psych.sandbox.run.Execution;
import io.psych.sandbox.run.Order;
import io.psych.sandbox.run.Pool;
import io.psych.sandbox.run.PoolStatus;
import io.psych.sandbox.run.Runtime;
import io.psych.sandbox.run.Threads;
import io.psych.sandbox.run.Trial;
import io.psych.sandbox.terms.Spec;
import io.psych.sandbox.terms.Terms;
import io.psych.sandbox.tool.Descriptions;
import io.psych.sandbox.tool.ToolGateway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes programs that a model wrote, each in a fresh isolated process of its own. Used
 * by many threads at once. <pre class="code">
 * try (Sandbox sandbox = Sandbox.builder().tools(ToolCatalog.of(search)).build()) {
 *     RunResult result = sandbox.run(RunRequest.of("len(await search(query='spring'))"));
 * }
 * </pre>
 *
 * @since 0.1.0
 */
public final class Sandbox implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(Sandbox.class);

	private static final int MOST_DIGESTS = 1_000;

	private final Runtime runtime;

	private final Admission admission;

	/** All that can be proved, once the slowest proof has been made. */
	private final CompletableFuture<Proofs> proofs;

	/** Ends a proof that is still being made. */
	private final Cancellation closing;

	private final HostListeners listeners;

	private final ToolGateway gateway;

	private final Attachments attachments;

	private final BackendSelection selection;

	private final Observation observation;

	private final Deployment deployment;

	private final Interpreter interpreter;

	private final Descriptions descriptions;

	private final Map<Spec, String> digests = new ConcurrentHashMap<>();

	private final Object lock = new Object();

	/** The executions under way; guarded by the lock. */
	private final Set<Cancellation> running = new HashSet<>();

	private boolean closed;

	Sandbox(Runtime runtime, Admission admission, CompletableFuture<Proofs> proofs, Cancellation closing,
			HostListeners listeners, ToolGateway gateway, @Nullable BlobStore blobs, BackendSelection selection,
			Observation observation, Deployment deployment, Interpreter interpreter) {
		this.runtime = runtime;
		this.admission = admission;
		this.proofs = proofs;
		this.closing = closing;
		this.listeners = listeners;
		this.gateway = gateway;
		this.attachments = new Attachments(gateway.log(), blobs);
		this.selection = selection;
		this.observation = observation;
		this.deployment = deployment;
		this.interpreter = interpreter;
		this.descriptions = new Descriptions(interpreter.version(), interpreter.packages().names());
	}

	/**
	 * Return a builder.
	 * @return a builder with the defaults
	 */
	public static SandboxBuilder builder() {
		return new SandboxBuilder();
	}

	/**
	 * Execute one program and wait for its end.
	 * @param request the program
	 * @return what came of it; whatever the program does and whatever fails beneath it is
	 * told in there
	 * @throws UnknownProfileException if the request names a profile nobody registered
	 * @throws io.psych.sandbox.tool.ToolCatalogException if the tools of the moment can't
	 * be offered together
	 * @throws IllegalStateException if this sandbox is closed
	 */
	public RunResult run(RunRequest request) {
		return run(request, new Cancellation());
	}

	/**
	 * Execute one program and wait for its end, or for somebody to cancel it.
	 * @param request the program
	 * @param cancellation stops the execution; so does an interrupt of this thread
	 * @return what came of it
	 * @throws UnknownProfileException if the request names a profile nobody registered
	 * @throws io.psych.sandbox.tool.ToolCatalogException if the tools of the moment can't
	 * be offered together
	 * @throws IllegalStateException if this sandbox is closed
	 */
	public RunResult run(RunRequest request, Cancellation cancellation) {
		checkOpen();
		Terms terms = this.deployment.terms(request.scope(), request.spec());
		// Before the tools are bound, which take along what a listener puts on the
		// thread.
		try (ExecutionWatch watch = new ExecutionWatch(this.gateway.listener(), this.runtime.backend().name(),
				request.spec().profile())) {
			return watch.ended(run(request, terms, cancellation, watch));
		}
	}

	private RunResult run(RunRequest request, Terms terms, Cancellation cancellation, ExecutionWatch watch) {
		ExecutionRecord record = new ExecutionRecord(this.gateway.log(), request.scope());
		Bindings bindings = this.gateway.bind(request.scope(), request.attributes(), terms.limits().calls(),
				terms.grant(), record.execution());
		long bytes = request.program().getBytes(StandardCharsets.UTF_8).length;
		Failure unrecorded = record.begin(request, digest(request.spec()), bytes);
		if (unrecorded != null) {
			return refused(record, unrecorded);
		}
		Failure refusal = refusal(request, terms, bytes, cancellation);
		RunResult result = (refusal != null) ? refused(record, refusal)
				: execute(request, terms, bindings, record, cancellation, watch);
		record.end(result);
		return result;
	}

	/** Hashing JSON takes longer than all else before the start. */
	private String digest(Spec spec) {
		String known = this.digests.get(spec);
		if (known == null) {
			known = spec.digest();
			if (this.digests.size() < MOST_DIGESTS) {
				this.digests.put(spec, known);
			}
		}
		return known;
	}

	private RunResult refused(ExecutionRecord record, Failure refusal) {
		return RunResult.refused(record.execution(), refusal, Duration.ZERO,
				IsolationReport.nothingStarted(this.runtime.backend().name(), "no process was started"));
	}

	private RunResult execute(RunRequest request, Terms terms, Bindings bindings, ExecutionRecord record,
			Cancellation cancellation, ExecutionWatch watch) {
		Cancellation own = new Cancellation();
		enter(own);
		Runnable unsubscribe = cancellation.onCancel(own::cancel);
		try {
			long began = System.nanoTime();
			Failure refusal = admit(request, own);
			watch.waited(Duration.ofNanos(System.nanoTime() - began));
			return (refusal != null) ? refused(record, refusal)
					: executeNow(request, terms, bindings, record, own, watch);
		}
		finally {
			unsubscribe.run();
			leave(own);
		}
	}

	private @Nullable Failure admit(RunRequest request, Cancellation cancellation) {
		String tenant = request.scope().tenant();
		try {
			String full = this.admission.enter((tenant != null) ? tenant : "", cancellation);
			if (full == null) {
				return null;
			}
			return cancellation.isCancelled()
					? Failure.of(FailureKind.CANCELLED, "The execution was cancelled while it waited.")
					: Failure.of(FailureKind.BACKEND_NOT_READY, "The program was not started: " + full + ".");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Failure.of(FailureKind.CANCELLED, "The execution was cancelled while it waited.");
		}
	}

	private RunResult executeNow(RunRequest request, Terms terms, Bindings bindings, ExecutionRecord record,
			Cancellation cancellation, ExecutionWatch watch) {
		try {
			Inputs inputs = Inputs.of(request, terms.limits(), this.attachments);
			Failure refusal = inputs.refusal();
			if (refusal != null) {
				return refused(record, refusal);
			}
			Order order = new Order(record.execution(), request.program(), terms.limits(), terms.network(), bindings,
					inputs.files(), this.attachments.keeper(request.scope(), record.execution()), terms.preserve());
			Execution execution = new Execution(runtime(terms), order, cancellation, terms.requirement()::unmet);
			RunResult result = execution.execute();
			watch.executed(execution.timeline());
			return result;
		}
		finally {
			this.admission.leave();
		}
	}

	private @Nullable Failure refusal(RunRequest request, Terms terms, long bytes, Cancellation cancellation) {
		if (cancellation.isCancelled() || Thread.currentThread().isInterrupted()) {
			return Failure.of(FailureKind.CANCELLED, "The execution was cancelled before it began.");
		}
		ByteSize most = terms.limits().program();
		if (bytes > most.bytes()) {
			return Failure.of(FailureKind.POLICY_REFUSED,
					"The program is " + bytes + " bytes; the most is " + most + ".");
		}
		return this.deployment.refusal(request, terms);
	}

	/** Whether a requirement names a guarantee whose proof takes long. */
	static boolean isSlow(Requirement requirement) {
		return requirement.guarantees().contains(Guarantee.CPU) || requirement.guarantees().contains(Guarantee.MEMORY);
	}

	/** An execution that requires what is still being proved waits for the proof. */
	private Runtime runtime(Terms terms) {
		return isSlow(terms.requirement()) ? this.runtime.withProofs(this.proofs::join) : this.runtime;
	}

	private void enter(Cancellation execution) {
		synchronized (this.lock) {
			checkOpen();
			this.running.add(execution);
		}
	}

	private void checkOpen() {
		synchronized (this.lock) {
			if (this.closed) {
				throw new IllegalStateException("this sandbox is closed");
			}
		}
	}

	private void leave(Cancellation execution) {
		synchronized (this.lock) {
			this.running.remove(execution);
			this.lock.notifyAll();
		}
	}

	/**
	 * Return which backend was taken, and why not a stronger one.
	 * @return the selection
	 */
	public BackendSelection selection() {
		return this.selection;
	}

	/**
	 * Return the isolation that a real child had when the backend was selected. Waits
	 * once, for about a second, while the CPU limit is being proved.
	 * @return the report; each execution has its own as well
	 */
	public IsolationReport isolation() {
		return this.runtime.grader()
			.grade(this.runtime.backend(), this.observation, Trial.LIMITS, false, this.runtime.isBounding(),
					this.proofs.join());
	}

	/**
	 * Return what isolation every execution must have.
	 * @return the requirement
	 */
	public Requirement requirement() {
		return this.deployment.requirement();
	}

	/**
	 * Return what this host lacks of what is required.
	 * @return one sentence for each part; empty when nothing is lacking
	 */
	public List<String> unmet() {
		return this.deployment.requirement().unmet(isolation());
	}

	/**
	 * Return the limits of an execution without a profile.
	 * @return the limits
	 */
	public Limits limits() {
		return this.deployment.limits();
	}

	/**
	 * Return the profiles.
	 * @return the limits by the name of the profile
	 */
	public Map<String, Limits> profiles() {
		return this.deployment.profiles();
	}

	/**
	 * Return the published Specs.
	 * @return the Specs by their name
	 */
	public Map<String, Spec> specs() {
		return this.deployment.specs();
	}

	/**
	 * Return a published Spec.
	 * @param name its name
	 * @return the Spec
	 * @throws UnknownSpecException if nothing is published under the name
	 */
	public Spec spec(String name) {
		Spec spec = this.deployment.specs().get(name);
		if (spec == null) {
			throw new UnknownSpecException(name, this.deployment.specs().keySet());
		}
		return spec;
	}

	/**
	 * Return the version of the interpreter.
	 * @return the version, such as {@code 3.11.2}
	 */
	public String pythonVersion() {
		return this.interpreter.version();
	}

	/**
	 * Return what programs can import beside the standard library.
	 * @return each as {@code name version}
	 */
	public List<String> packages() {
		return this.interpreter.packages().names();
	}

	/**
	 * Return what the model is told of the program's world, where nothing narrows it.
	 * @return the text, with the tools of the moment
	 */
	public String describe() {
		return describe(Scope.NONE, Spec.NONE);
	}

	/**
	 * Return what the model of an agent is told of the program's world.
	 * @param scope whose programs it will write
	 * @param spec the agent's definition
	 * @return the text, with the limits that apply and those tools of the moment that a
	 * program may call
	 * @throws UnknownProfileException if the Spec names a profile nobody registered
	 */
	public String describe(Scope scope, Spec spec) {
		Terms terms = this.deployment.terms(scope, spec);
		return this.descriptions.of(terms.limits(),
				this.gateway.tools(scope).stream().filter((tool) -> terms.grant().allows(tool.name())).toList());
	}

	/**
	 * Return the one way to the tools, for direct calls of the model.
	 * @return the gateway that programs call through
	 */
	public ToolGateway tools() {
		return this.gateway;
	}

	/**
	 * Return how the pool of waiting children is doing.
	 * @return the numbers
	 */
	public PoolStatus pool() {
		Pool pool = this.runtime.pool();
		return (pool != null) ? pool.status() : PoolStatus.NONE;
	}

	/**
	 * Return how many executions run and wait.
	 * @return the numbers
	 */
	public Admission.Status admission() {
		return this.admission.status();
	}

	/**
	 * Return what executions left behind.
	 * @return finds it by its handle
	 */
	public Attachments attachments() {
		return this.attachments;
	}

	/**
	 * End all executions and remove what this sandbox made. Executions under way end as
	 * cancelled and are waited for.
	 */
	@Override
	public void close() {
		List<Cancellation> ended;
		synchronized (this.lock) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			ended = List.copyOf(this.running);
		}
		ended.forEach(Cancellation::cancel);
		awaitExecutions();
		Pool pool = this.runtime.pool();
		if (pool != null) {
			pool.close();
		}
		// A proof that is still being made works in the folder that is removed next.
		this.closing.cancel();
		Proofs settled = this.proofs.join();
		logger.debug("Closed with {}", settled);
		release(this.runtime.threads(), this.listeners, this.runtime.instance(), this.runtime.cgroups());
		this.runtime.backend().release();
	}

	private void awaitExecutions() {
		boolean interrupted = false;
		synchronized (this.lock) {
			// Each of them ends within its own deadlines, whatever its program does.
			while (!this.running.isEmpty()) {
				try {
					this.lock.wait();
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	static void release(Threads threads, HostListeners listeners, @Nullable InstanceFolder instance,
			@Nullable Cgroups cgroups) {
		threads.close();
		try {
			listeners.close();
			if (instance != null) {
				instance.close();
			}
			if (cgroups != null) {
				cgroups.close();
			}
		}
		catch (IOException ex) {
			logger.warn("Not all that a sandbox made could be removed: {}", ex.toString());
		}
	}

}
