package io.psych.sandbox.tool;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.psych.sandbox.budget.CallBudget;
import io.psych.sandbox.contract.Bindings;
import io.psych.sandbox.contract.CallFacts;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.Listeners;
import io.psych.sandbox.contract.SandboxListener;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.egress.Egress;
import io.psych.sandbox.egress.EgressDeniedException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import io.psych.sandbox.terms.Grant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one way to a tool, for programs and for direct calls of the model alike. The
 * stations, in their order: the call is accepted and recorded, the tool is looked up
 * among those of the scope, its arguments are checked, the policy decides, approval is
 * asked for, each destination is checked, the tool is called, and what came of it is
 * recorded.
 * <p>
 * A program's call is spent from its budgets when it is accepted, before anything else is
 * known of it. Where the model's call would wait for a person, a program's is refused.
 *
 * @since 0.1.0
 */
public final class ToolGateway {

	private static final Logger logger = LoggerFactory.getLogger(ToolGateway.class);

	/** Of what a caller calls a tool, as much as is recorded. */
	private static final int MOST_NAME = 200;

	private final ToolCatalog catalog;

	private final ToolPolicy policy;

	private final ToolApproval approval;

	private final Egress egress;

	private final RunLog log;

	private final ContextPropagation propagation;

	private final SandboxListener listener;

	private final Arguments arguments = new Arguments();

	private ToolGateway(Builder builder) {
		this.catalog = builder.catalog;
		this.policy = builder.policy;
		this.approval = builder.approval;
		this.egress = builder.egress;
		this.log = builder.log;
		this.propagation = builder.propagation;
		this.listener = new Listeners(builder.listeners);
	}

	/**
	 * Return a gateway that allows every call and records in memory.
	 * @param catalog the tools there are, asked anew for every execution
	 * @return the gateway
	 */
	public static ToolGateway of(ToolCatalog catalog) {
		return builder(catalog).build();
	}

	/**
	 * Return a builder.
	 * @param catalog the tools there are, asked anew for every execution
	 * @return a builder of a gateway that allows every call, lets none that names a
	 * destination out, and records in memory
	 */
	public static Builder builder(ToolCatalog catalog) {
		return new Builder(catalog);
	}

	/**
	 * Return the tools of the moment as the bindings of one execution.
	 * @param scope whose execution it is
	 * @param attributes handed to every call
	 * @param limits what the execution and its run may spend
	 * @param execution the name of the execution
	 * @return the bindings
	 * @throws ToolCatalogException if the tools can't be offered together
	 */
	public Bindings bind(Scope scope, Map<String, Object> attributes, CallLimits limits, String execution) {
		return bind(scope, attributes, limits, Grant.ALL, execution);
	}

	/**
	 * Return those tools of the moment that are granted as the bindings of one execution.
	 * @param scope whose execution it is
	 * @param attributes handed to every call
	 * @param limits what the execution and its run may spend
	 * @param grant which tools it may call; those that every program has are not asked
	 * for
	 * @param execution the name of the execution
	 * @return the bindings
	 * @throws ToolCatalogException if the tools can't be offered together
	 */
	public Bindings bind(Scope scope, Map<String, Object> attributes, CallLimits limits, Grant grant,
			String execution) {
		return new Offer(granted(scope, grant), new ToolCallContext(scope, attributes, CallOrigin.PROGRAM), limits,
				execution);
	}

	private List<HostTool> granted(Scope scope, Grant grant) {
		return tools(scope).stream().filter((tool) -> grant.allows(tool.name())).toList();
	}

	/**
	 * Return where runs are recorded.
	 * @return the log
	 */
	public RunLog log() {
		return this.log;
	}

	/**
	 * Return who is told of executions and calls.
	 * @return all listeners as one that never throws
	 */
	public SandboxListener listener() {
		return this.listener;
	}

	/**
	 * Return the tools of a scope, from which both the model's own list and the bindings
	 * of programs are made.
	 * @param scope the scope
	 * @return the tools
	 * @throws ToolCatalogException if they can't be offered together
	 */
	public List<HostTool> tools(Scope scope) {
		List<HostTool> tools = this.catalog.tools(scope);
		ToolCatalogs.check(tools);
		return tools;
	}

	/**
	 * Make a direct call of the model.
	 * @param name the name of the tool
	 * @param given the arguments, a JSON object
	 * @param scope whose call it is
	 * @param attributes handed to the tool
	 * @return what the call came to; never kept under a handle
	 * @throws ToolCatalogException if the tools can't be offered together
	 */
	public CallOutcome call(String name, JsonValue given, Scope scope, Map<String, Object> attributes) {
		return call(name, given, scope, Grant.ALL, attributes);
	}

	/**
	 * Make a direct call of the model of an agent.
	 * @param name the name of the tool
	 * @param given the arguments, a JSON object
	 * @param scope whose call it is
	 * @param grant which tools the agent may call; no other is offered to it
	 * @param attributes handed to the tool
	 * @return what the call came to; never kept under a handle
	 * @throws ToolCatalogException if the tools can't be offered together
	 */
	public CallOutcome call(String name, JsonValue given, Scope scope, Grant grant, Map<String, Object> attributes) {
		return call(name, given, byName(granted(scope, grant)), scope, attributes);
	}

	/**
	 * Make a direct call of the model of an agent to a tool that was handed to it beside
	 * the catalogue.
	 * @param tool the tool
	 * @param given the arguments, a JSON object
	 * @param scope whose call it is
	 * @param grant which tools the agent may call; no other is offered to it
	 * @param attributes handed to the tool
	 * @return what the call came to; never kept under a handle
	 */
	public CallOutcome call(HostTool tool, JsonValue given, Scope scope, Grant grant, Map<String, Object> attributes) {
		return call(tool.name(), given, grant.allows(tool.name()) ? Map.of(tool.name(), new Offered(tool)) : Map.of(),
				scope, attributes);
	}

	private CallOutcome call(String name, JsonValue given, Map<String, Offered> tools, Scope scope,
			Map<String, Object> attributes) {
		return told(name, tools, CallOrigin.MODEL, () -> callNow(name, given, tools, scope, attributes));
	}

	/** Make a call that listeners are told of, whatever comes of it. */
	private CallOutcome told(String name, Map<String, Offered> tools, CallOrigin origin, Supplier<CallOutcome> call) {
		String tool = tools.containsKey(name) ? name : CallFacts.OTHER;
		Consumer<CallFacts> end = this.listener.callBegins(tool, origin);
		long began = System.nanoTime();
		CallOutcome outcome = null;
		try {
			outcome = call.get();
			return outcome;
		}
		finally {
			end.accept(CallFacts.of(tool, origin, outcome, Duration.ofNanos(System.nanoTime() - began)));
		}
	}

	private CallOutcome callNow(String name, JsonValue given, Map<String, Offered> tools, Scope scope,
			Map<String, Object> attributes) {
		String call = UUID.randomUUID().toString();
		RunKey run = RunKey.of(scope, call);
		try {
			this.log.append(run,
					new RunEvent.CallAccepted("", call, recorded(name), CallOrigin.MODEL, given.utf8Length()));
		}
		catch (RunLogException ex) {
			return unrecorded(ex);
		}
		long began = System.nanoTime();
		CallOutcome outcome = pass(name, given, tools, new ToolCallContext(scope, attributes, CallOrigin.MODEL));
		long bytes = (outcome instanceof CallOutcome.Value value) ? value.value().utf8Length() : 0;
		end(run, call, outcome, began, bytes);
		return outcome;
	}

	/**
	 * Return how programs of a scope reach each of its tools.
	 * @param scope the scope
	 * @return the report
	 */
	public ToolReport report(Scope scope) {
		return new ToolReport(this.catalog.tools(scope).stream().map(ToolGateway::entry).toList());
	}

	private static ToolReport.Entry entry(HostTool tool) {
		String excluded = whyExcluded(tool);
		if (excluded != null) {
			return new ToolReport.Entry(tool.name(), tool.origin(), ToolReport.Reach.EXCLUDED, excluded);
		}
		String direct = whyDirect(tool);
		if (direct != null) {
			return new ToolReport.Entry(tool.name(), tool.origin(), ToolReport.Reach.DIRECT_ONLY, direct);
		}
		String noFunction = PythonNames.problem(tool.name());
		return new ToolReport.Entry(tool.name(), tool.origin(),
				(noFunction != null) ? ToolReport.Reach.CALL_TOOL : ToolReport.Reach.FUNCTION, noFunction);
	}

	static @Nullable String whyExcluded(HostTool tool) {
		if (BuiltInTools.NAMES.contains(tool.name())) {
			return "the sandbox has a tool of that name for every program";
		}
		return capability(tool, false);
	}

	static @Nullable String whyDirect(HostTool tool) {
		return capability(tool, true);
	}

	private static @Nullable String capability(HostTool tool, boolean offered) {
		Set<ToolCapability> capabilities = tool.capabilities();
		if (capabilities.isEmpty()) {
			return null;
		}
		return capabilities.stream()
			.filter((capability) -> capability.isOffered() == offered)
			.map(ToolCapability::id)
			.sorted()
			.findFirst()
			.orElse(null);
	}

	private static Map<String, Offered> byName(List<HostTool> tools) {
		Map<String, Offered> named = new LinkedHashMap<>();
		tools.forEach((tool) -> named.put(tool.name(), new Offered(tool)));
		return named;
	}

	/** Scope, arguments, policy, approval, egress, tool: the same for whoever calls. */
	private CallOutcome pass(String name, JsonValue given, Map<String, Offered> tools, ToolCallContext context) {
		Offered offered = tools.get(name);
		if (offered == null) {
			String nearest = Nearest.to(name, tools.keySet());
			return failed(ToolFailureKind.NOT_OFFERED,
					"No tool of that name is offered "
							+ ((context.origin() != CallOrigin.MODEL) ? "to this program." : "now.")
							+ ((nearest != null) ? " The nearest name is `" + nearest + "`." : ""));
		}
		JsonValue schema = offered.schema();
		JsonValue named = this.arguments.named(given, schema);
		String problem = this.arguments.problem(name, named, schema);
		if (problem != null) {
			return failed(ToolFailureKind.BAD_ARGUMENTS, problem);
		}
		ToolCall call = new ToolCall(offered.tool, named, context);
		try {
			CallOutcome refusal = refusal(call);
			return (refusal != null) ? refusal : make(call);
		}
		catch (InterruptedException ex) {
			return failed(ToolFailureKind.CANCELLED, "The call was cut off; it may have had its effect.");
		}
	}

	private @Nullable CallOutcome refusal(ToolCall call) throws InterruptedException {
		boolean isProgram = call.context().origin() == CallOrigin.PROGRAM;
		try {
			if (this.policy.decide(call) instanceof ToolDecision.Denied denied) {
				return failed(ToolFailureKind.DENIED, denied.why());
			}
			String direct = isProgram ? whyDirect(call.tool()) : null;
			if (direct != null) {
				return failed(ToolFailureKind.APPROVAL_REQUIRED, call.tool().name() + " can't be called by a program ("
						+ direct + ") and was not. Call it directly, outside of a program.");
			}
			if (this.approval.isRequired(call)) {
				if (isProgram) {
					return failed(ToolFailureKind.APPROVAL_REQUIRED,
							"A person has to approve a call of " + call.tool().name()
									+ ", and a program can't wait for one. It was not made. Call the tool directly,"
									+ " outside of a program.");
				}
				if (this.approval.ask(call) instanceof ToolDecision.Denied denied) {
					return failed(ToolFailureKind.DENIED, denied.why());
				}
			}
			for (URI destination : call.tool().destinations(call.arguments())) {
				this.egress.check(destination);
			}
			return null;
		}
		catch (EgressDeniedException ex) {
			return failed(ToolFailureKind.DENIED, String.valueOf(ex.getMessage()));
		}
		catch (RuntimeException ex) {
			// Whoever should have decided did not, and what is not decided is not
			// allowed.
			logger.warn("A call of tool {} was denied, the decision on it failed", Quoted.text(call.tool().name()),
					Quoted.problem(ex));
			return failed(ToolFailureKind.DENIED, "The call could not be decided on, and was not made.");
		}
	}

	private static CallOutcome make(ToolCall call) throws InterruptedException {
		HostTool tool = call.tool();
		try {
			return new CallOutcome.Value(tool.call(call.arguments(), call.context()));
		}
		catch (ToolCallException ex) {
			if (logger.isDebugEnabled()) {
				logger.debug("Tool {} failed", Quoted.text(tool.name()), Quoted.problem(ex));
			}
			return new CallOutcome.Failed(ex.kind(), String.valueOf(ex.getMessage()), ex.state());
		}
		catch (RuntimeException ex) {
			// A tool is foreign code, and its failure is the program's to handle.
			logger.warn("Tool {} failed with an exception it does not declare", Quoted.text(tool.name()),
					Quoted.problem(ex));
			return failed(ToolFailureKind.TOOL_ERROR,
					ex.getClass().getSimpleName() + ((ex.getMessage() != null) ? ": " + ex.getMessage() : ""));
		}
	}

	private void end(RunKey run, String call, CallOutcome outcome, long began, long resultBytes) {
		CallState state = CallState.DONE;
		ToolFailureKind kind = null;
		if (outcome instanceof CallOutcome.Failed failed) {
			state = failed.state();
			kind = failed.kind();
		}
		try {
			this.log.append(run, new RunEvent.CallEnded(call, state, kind, Duration.ofNanos(System.nanoTime() - began),
					resultBytes));
		}
		catch (RunLogException ex) {
			// It was accepted and is spent; without an end it reads as unknown, which is
			// true for whoever has only the log.
			logger.warn("The end of call {} is not recorded: {}", call, ex.toString());
		}
	}

	private static CallOutcome unrecorded(RunLogException ex) {
		logger.warn("A call was refused, it can't be recorded: {}", ex.toString());
		return new CallOutcome.Failed(ToolFailureKind.DENIED, "The call can't be recorded, and was not made.");
	}

	private static String recorded(String name) {
		if (name.length() <= MOST_NAME) {
			return name;
		}
		int end = Character.isHighSurrogate(name.charAt(MOST_NAME - 1)) ? MOST_NAME - 1 : MOST_NAME;
		return name.substring(0, end) + "...";
	}

	private static CallOutcome failed(ToolFailureKind kind, String message) {
		return new CallOutcome.Failed(kind, message);
	}

	/**
	 * The tools of one execution, and what it has left to spend on them.
	 */
	private final class Offer implements Bindings {

		/** The two bits of a UUID that tell its layout. */
		private static final long VARIANT = 0xC000000000000000L;

		private static final long VARIANT_OF_RFC = 0x8000000000000000L;

		private final String execution;

		private final Map<String, Offered> tools;

		private final ToolCallContext context;

		private final RunKey run;

		private final CallBudget budget;

		private final StoredResults stored;

		/** Names the first call; the others have those that follow. */
		private final UUID first = UUID.randomUUID();

		private final AtomicLong calls = new AtomicLong();

		private final ContextPropagation.Captured captured = ToolGateway.this.propagation.capture();

		Offer(List<HostTool> tools, ToolCallContext context, CallLimits limits, String execution) {
			this.execution = execution;
			this.stored = new StoredResults(limits.result().bytes());
			List<HostTool> offered = new ArrayList<>(
					tools.stream().filter((tool) -> whyExcluded(tool) == null).toList());
			offered.addAll(BuiltInTools.of(List.copyOf(offered), this.stored));
			this.tools = byName(offered);
			this.context = context;
			this.run = RunKey.of(context.scope(), this.execution);
			this.budget = new CallBudget(limits);
		}

		@Override
		public List<String> names() {
			return List.copyOf(this.tools.keySet());
		}

		@Override
		public CallOutcome call(String name, JsonValue given) {
			try (ContextPropagation.Restored restored = this.captured.restore()) {
				return told(name, this.tools, CallOrigin.PROGRAM, () -> callNow(name, given));
			}
		}

		/** A random name for each would cost more than a fast tool. */
		private String nextCall() {
			long low = (this.first.getLeastSignificantBits() + this.calls.getAndIncrement()) & ~VARIANT;
			return new UUID(this.first.getMostSignificantBits(), low | VARIANT_OF_RFC).toString();
		}

		private CallOutcome callNow(String name, JsonValue given) {
			String call = nextCall();
			long began = System.nanoTime();
			long argumentBytes = given.utf8Length();
			String spent = this.budget.spendCall(argumentBytes);
			if (spent != null) {
				// Not accepted, so the log, which may be at another host, is left alone.
				return failed(ToolFailureKind.BUDGET_SPENT, spent);
			}
			try {
				RunEvent.CallAccepted accepted = new RunEvent.CallAccepted(this.execution, call, recorded(name),
						CallOrigin.PROGRAM, argumentBytes);
				int most = this.budget.limits().perRun();
				if (ToolGateway.this.log.accept(this.run, accepted, most).isEmpty()) {
					return failed(ToolFailureKind.BUDGET_SPENT,
							"All programs of this run may make " + most + " calls together and have made them.");
				}
			}
			catch (RunLogException ex) {
				return unrecorded(ex);
			}
			Measured measured = measure(pass(name, given, this.tools, this.context));
			end(this.run, call, measured.outcome(), began, measured.bytes());
			return measured.outcome();
		}

		/** A result over the ceiling is kept or refused, never shortened. */
		private Measured measure(CallOutcome outcome) {
			if (!(outcome instanceof CallOutcome.Value result)) {
				return new Measured(outcome, 0);
			}
			long bytes = result.value().utf8Length();
			long ceiling = this.budget.limits().result().bytes();
			if (bytes > ceiling) {
				if (this.budget.keep(bytes)) {
					return new Measured(new CallOutcome.Preserved(this.stored.keep(result.value())), bytes);
				}
				return new Measured(new CallOutcome.Failed(ToolFailureKind.RESULT_NOT_PAGED,
						"The result is " + bytes + " bytes, the most is " + ceiling
								+ " for one reply, and it could not be kept to be read in parts. It was not shortened."
								+ " Ask the tool for less."),
						0);
			}
			String spent = this.budget.spendResult(bytes);
			return (spent != null)
					? new Measured(new CallOutcome.Failed(ToolFailureKind.BUDGET_SPENT,
							"The tool ran, and its result is withheld. " + spent, CallState.FAILED), 0)
					: new Measured(outcome, bytes);
		}

	}

	/**
	 * A tool as it is offered once. What it says of its arguments is asked when it is
	 * first called: a tool may make its schema anew each time.
	 */
	private static final class Offered {

		private final HostTool tool;

		private volatile @Nullable JsonValue schema;

		Offered(HostTool tool) {
			this.tool = tool;
		}

		JsonValue schema() {
			JsonValue known = this.schema;
			if (known == null) {
				known = this.tool.inputSchema();
				this.schema = known;
			}
			return known;
		}

	}

	/**
	 * An outcome within the budgets.
	 *
	 * @param outcome the outcome
	 * @param bytes the bytes of its result
	 */
	private record Measured(CallOutcome outcome, long bytes) {

	}

	/**
	 * Builds a gateway.
	 */
	public static final class Builder {

		private final ToolCatalog catalog;

		private ToolPolicy policy = ToolPolicy.ALLOW;

		private ToolApproval approval = ToolApproval.NONE;

		private Egress egress = Egress.DENIED;

		private RunLog log = new InMemoryRunLog();

		private ContextPropagation propagation = ContextPropagation.MDC_ONLY;

		private final List<SandboxListener> listeners = new ArrayList<>();

		private Builder(ToolCatalog catalog) {
			this.catalog = catalog;
		}

		/**
		 * Set what decides on every call.
		 * @param policy the policy
		 * @return this builder
		 */
		public Builder policy(ToolPolicy policy) {
			this.policy = policy;
			return this;
		}

		/**
		 * Set which calls a person must approve.
		 * @param approval the approval
		 * @return this builder
		 */
		public Builder approval(ToolApproval approval) {
			this.approval = approval;
			return this;
		}

		/**
		 * Set what decides on the destinations of tools that name them.
		 * @param egress the decision
		 * @return this builder
		 */
		public Builder egress(Egress egress) {
			this.egress = egress;
			return this;
		}

		/**
		 * Set where runs are recorded, and what they have spent is counted.
		 * @param log the log
		 * @return this builder
		 */
		public Builder log(RunLog log) {
			this.log = log;
			return this;
		}

		/**
		 * Set how the context of a caller reaches the calls of its program.
		 * @param propagation the propagation
		 * @return this builder
		 */
		public Builder propagation(ContextPropagation propagation) {
			this.propagation = propagation;
			return this;
		}

		/**
		 * Add a listener to all calls and to the executions whose programs make them.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder listener(SandboxListener listener) {
			this.listeners.add(listener);
			return this;
		}

		/**
		 * Build the gateway.
		 * @return the gateway
		 */
		public ToolGateway build() {
			return new ToolGateway(this);
		}

	}

}
