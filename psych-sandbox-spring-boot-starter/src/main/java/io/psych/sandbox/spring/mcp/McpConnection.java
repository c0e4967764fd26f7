package io.psych.sandbox.spring.mcp;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.PaginatedRequest;
import io.psych.sandbox.log.Quoted;
import io.psych.sandbox.spring.mcp.McpCall.Ending;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Stands between a client and its transport and sees every message. Keeps count of the
 * calls the server has not answered, cancels what it asks of a person on behalf of a
 * program, tells it of calls that nobody waits for any more, and notices that its list of
 * tools changed. All other messages pass.
 */
final class McpConnection implements McpClientTransport {

	private static final Logger logger = LoggerFactory.getLogger(McpConnection.class);

	private static final String CANCELLED = "notifications/cancelled";

	/** JSON-RPC leaves these to the implementation; this one never leaves the host. */
	private static final int ENDED_HERE = -32099;

	/** So long a tool may go on to ask when its call was given up. */
	private static final Duration FORGOTTEN = Duration.ofMinutes(1);

	/** Others do not say when they give up a call; no request timeout is that long. */
	private static final Duration FORGOTTEN_OF_OTHERS = Duration.ofMinutes(10);

	private final String name;

	private final McpClientTransport transport;

	private final @Nullable URI url;

	private final boolean isPlaceKnown;

	private final LongSupplier nanoTime;

	/** Guards the hand-over of a message, which no transport does I/O in. */
	private final Object sending = new Object();

	/** Calls by the number they were sent under. */
	private final Map<Object, McpCall> open = new ConcurrentHashMap<>();

	private final Map<Object, Listing> listings = new ConcurrentHashMap<>();

	/** The tools that have asked, by the names the server has for them. */
	private final Set<String> asking = ConcurrentHashMap.newKeySet();

	private final AtomicLong changes = new AtomicLong();

	/** Held by the one program's call there may be where calls can't be told apart. */
	private final ReentrantLock turn = new ReentrantLock(true);

	private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> client = (messages) -> messages;

	private volatile boolean gone;

	McpConnection(String name, McpClientTransport transport, @Nullable URI url, boolean isPlaceKnown,
			LongSupplier nanoTime) {
		this.name = name;
		this.transport = transport;
		this.url = url;
		this.isPlaceKnown = isPlaceKnown;
		this.nanoTime = nanoTime;
	}

	String name() {
		return this.name;
	}

	/** Whether it is known where the server is. */
	boolean isPlaceKnown() {
		return this.isPlaceKnown;
	}

	/** Where the server is, or {@code null} when it is not reached over the network. */
	@Nullable URI url() {
		return this.url;
	}

	/** How often the list of tools changed, as far as the server said. */
	long changes() {
		return this.changes.get();
	}

	/** Whether the server is gone for good. */
	boolean isGone() {
		return this.gone;
	}

	/** Whether a tool has asked a person before. */
	boolean asks(String tool) {
		return this.asking.contains(tool);
	}

	void noteThatAsks(String tool) {
		this.asking.add(tool);
	}

	/**
	 * Begin a call. Where the server's questions can't be told apart by the call they
	 * belong to, programs' calls wait for each other.
	 * @param call the call
	 * @param mayAsk whether the server may ask at all
	 * @throws InterruptedException if the thread was interrupted while it waited
	 */
	void begin(McpCall call, boolean mayAsk) throws InterruptedException {
		// Over streamable HTTP a question comes in the answer to the request it belongs
		// to.
		if (mayAsk && call.isOfProgram() && !(this.transport instanceof HttpClientStreamableHttpTransport)) {
			this.turn.lockInterruptibly();
		}
	}

	/**
	 * End a call. Where the server has not answered it, it is told to stop, unless its
	 * question was just cancelled.
	 * @param call the call
	 */
	void end(McpCall call) {
		try {
			giveUp(call);
		}
		finally {
			// Only now: the next call must not begin before the server is told of this
			// one.
			if (this.turn.isHeldByCurrentThread()) {
				this.turn.unlock();
			}
		}
	}

	private void giveUp(McpCall call) {
		Object id = call.id();
		if (id == null || this.open.get(id) != call) {
			return;
		}
		call.forgetAt(this.nanoTime.getAsLong() + FORGOTTEN.toNanos());
		// One that asked has been answered and will end; a server that is told to stop
		// need not say that it has.
		if (call.end(Ending.GIVEN_UP)) {
			release(call);
			send(new JSONRPCNotification(CANCELLED,
					Map.of("requestId", id, "reason", "Nobody waits for the result any more")), call.context());
		}
		forget();
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		this.client = handler;
		Mono<Void> connected = this.transport.connect((messages) -> handler
			.apply(messages.flatMap((message) -> Mono.deferContextual((context) -> received(message, context)))));
		return (this.transport instanceof StdioClientTransport process)
				? connected.doOnSuccess((nothing) -> watch(process)) : connected;
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		return Mono.deferContextual((context) -> {
			if (!(message instanceof JSONRPCRequest request)) {
				return deliver(message);
			}
			if (this.gone) {
				return Mono.error(new IllegalStateException("The process of the MCP server has ended"));
			}
			if (request.method().equals(McpSchema.METHOD_INITIALIZE)) {
				// A server that is reached anew may have other tools.
				this.changes.incrementAndGet();
			}
			if (request.params() instanceof PaginatedRequest page && page.meta() instanceof RequestTag<?> tag
					&& tag.owner() instanceof Listing listing) {
				listing.sentOver(this, this.changes.get());
				this.listings.put(request.id(), listing);
				return deliver(message).doOnError((ex) -> this.listings.remove(request.id()));
			}
			if (request.params() instanceof CallToolRequest called) {
				return sendCall(request, McpCall.of(called), context);
			}
			return deliver(message);
		});
	}

	private Mono<Void> sendCall(JSONRPCRequest request, McpCall call, ContextView context) {
		if (!call.isOurs()) {
			forget();
			call.forgetAt(this.nanoTime.getAsLong() + FORGOTTEN_OF_OTHERS.toNanos());
		}
		call.sentAs(request.id(), context);
		this.open.put(request.id(), call);
		return deliver(request).doOnError((ex) -> this.open.remove(request.id()))
			.contextWrite((current) -> current.put(McpCall.class, call));
	}

	/** StdioClientTransport 2.0.0 refuses a message while another thread hands it one. */
	private Mono<Void> deliver(JSONRPCMessage message) {
		return Mono.defer(() -> {
			synchronized (this.sending) {
				return this.transport.sendMessage(message);
			}
		});
	}

	private Mono<JSONRPCMessage> received(JSONRPCMessage message, ContextView context) {
		if (message instanceof JSONRPCResponse response) {
			return answered(response) ? Mono.just(message) : Mono.empty();
		}
		if (message instanceof JSONRPCRequest request && McpSchema.METHOD_ELICITATION_CREATE.equals(request.method())) {
			return asked(request, context);
		}
		if (message instanceof JSONRPCNotification notification) {
			return isOurs(notification) ? Mono.empty() : Mono.just(message);
		}
		return Mono.just(message);
	}

	/** Note an answer, and return whether somebody waits for it. */
	private boolean answered(JSONRPCResponse response) {
		Listing listing = this.listings.remove(response.id());
		if (listing != null && response.result() != null) {
			listing.received(response.result());
		}
		McpCall call = this.open.remove(response.id());
		return call == null || call.ending() == null;
	}

	private boolean isOurs(JSONRPCNotification notification) {
		if (McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(notification.method())) {
			this.changes.incrementAndGet();
		}
		else if (McpSchema.METHOD_NOTIFICATION_PROGRESS.equals(notification.method())
				&& notification.params() instanceof Map<?, ?> progress
				&& progress.get("progressToken") instanceof String token && token.startsWith(McpCall.PROGRESS)) {
			if (logger.isDebugEnabled()) {
				logger.debug("MCP server {}: progress {} of {}", this.name,
						Quoted.text(String.valueOf(progress.get("progress"))),
						Quoted.text(String.valueOf(progress.get("total"))));
			}
			return true;
		}
		return false;
	}

	/** Cancel a question that may belong to a program's call; any other one passes. */
	private Mono<JSONRPCMessage> asked(JSONRPCRequest question, ContextView context) {
		McpCall told = context.getOrDefault(McpCall.class, null);
		forget();
		List<McpCall> candidates = (told != null) ? List.of(told) : List.copyOf(this.open.values());
		if (candidates.size() == 1) {
			noteThatAsks(candidates.get(0).tool());
		}
		List<McpCall> programs = candidates.stream().filter(McpCall::isOfProgram).toList();
		if (programs.isEmpty()) {
			return Mono.just(question);
		}
		logger.info("MCP server {} asks a person while a program calls it; the question is cancelled", this.name);
		Ending ending = (candidates.size() == 1) ? Ending.ASKED : Ending.MAY_HAVE_ASKED;
		// Ended first: what it answers to the cancellation is nobody's any more.
		List<McpCall> ended = programs.stream().filter((call) -> call.end(ending)).toList();
		Mono<Void> answer = deliver(
				JSONRPCResponse.result(question.id(), new ElicitResult(ElicitResult.Action.CANCEL, null)))
			.onErrorResume((ex) -> {
				logger.warn("A question of MCP server {} can't be answered: {}", this.name, Quoted.text(ex.toString()));
				return Mono.empty();
			});
		return Mono.when(answer, Mono.fromRunnable(() -> ended.forEach(this::release))).then(Mono.empty());
	}

	/**
	 * Let go whoever waits for a call. The client keeps what waits, for ever if need be,
	 * until it has an answer.
	 */
	private void release(McpCall call) {
		Object id = call.id();
		if (id != null) {
			JSONRPCMessage answer = JSONRPCResponse.error(id,
					new JSONRPCResponse.JSONRPCError(ENDED_HERE, "The call was ended"));
			this.client.apply(Mono.just(answer)).contextWrite(call.context()).subscribe();
		}
	}

	private void send(JSONRPCMessage message, ContextView context) {
		deliver(message).contextWrite(context).subscribe((nothing) -> {
		}, (ex) -> logger.debug("MCP server {} can't be told", this.name, Quoted.problem(ex)));
	}

	private void forget() {
		long now = this.nanoTime.getAsLong();
		this.open.values().removeIf((call) -> call.isForgotten(now));
	}

	/** The transport of SDK 2.0.0 does not say that the process has ended. */
	private void watch(StdioClientTransport process) {
		Thread watcher = new Thread(() -> {
			process.awaitForExit();
			this.gone = true;
			this.changes.incrementAndGet();
			this.open.values().stream().filter((call) -> call.end(Ending.GONE)).forEach(this::release);
		}, "psych-sandbox-mcp-" + this.name);
		watcher.setDaemon(true);
		watcher.start();
	}

	@Override
	public void setExceptionHandler(Consumer<Throwable> handler) {
		this.transport.setExceptionHandler(handler);
	}

	@Override
	public void close() {
		this.transport.close();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return this.transport.closeGracefully();
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> typeRef) {
		return this.transport.unmarshalFrom(data, typeRef);
	}

	@Override
	public List<String> protocolVersions() {
		return this.transport.protocolVersions();
	}

}
