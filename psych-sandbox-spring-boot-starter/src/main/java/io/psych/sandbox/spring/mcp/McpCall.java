package io.psych.sandbox.spring.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.psych.sandbox.contract.CallOrigin;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One call of a tool, from the moment it is made until the server has answered it, which
 * may be later than anybody waits for it.
 */
final class McpCall {

	/**
	 * How the progress tokens of calls of programs begin. What is told of them is nobody
	 * else's.
	 */
	static final String PROGRESS = "psych-sandbox-";

	private static final String PROGRESS_TOKEN = "progressToken";

	private final String tool;

	private final CallOrigin origin;

	private final boolean ours;

	/** The first ending counts. */
	private final AtomicReference<@Nullable Ending> ending = new AtomicReference<>();

	private volatile @Nullable Sent sent;

	/**
	 * When nothing is expected of it any more, or {@code null} while it is waited for.
	 */
	private volatile @Nullable Long forgottenAt;

	private McpCall(String tool, CallOrigin origin, boolean ours) {
		this.tool = tool;
		this.origin = origin;
		this.ours = ours;
	}

	McpCall(String tool, CallOrigin origin) {
		this(tool, origin, true);
	}

	/** The call a request belongs to, or one that somebody else makes. */
	static McpCall of(CallToolRequest request) {
		return (request.meta() instanceof RequestTag<?> tag && tag.owner() instanceof McpCall call) ? call
				: new McpCall(request.name(), CallOrigin.MODEL, false);
	}

	/**
	 * What to call the tool with. It is not kept here: a call may outlive whoever waits.
	 */
	CallToolRequest request(Map<String, @Nullable Object> arguments, Map<String, Object> meta) {
		Map<String, Object> sentAlong = new LinkedHashMap<>(meta);
		if (isOfProgram()) {
			// The application's own token is that of its own call; no two may share one.
			sentAlong.put(PROGRESS_TOKEN, PROGRESS + UUID.randomUUID());
		}
		return new CallToolRequest(this.tool, arguments, new RequestTag<>(this, sentAlong));
	}

	/** Whether whoever waits for it will say when that ends. */
	boolean isOurs() {
		return this.ours;
	}

	/** The name the server has for the tool. */
	String tool() {
		return this.tool;
	}

	boolean isOfProgram() {
		return this.origin == CallOrigin.PROGRAM;
	}

	void sentAs(Object id, ContextView context) {
		this.sent = new Sent(id, context);
	}

	/** The number it was sent under, or {@code null} before it is sent. */
	@Nullable Object id() {
		Sent current = this.sent;
		return (current != null) ? current.id() : null;
	}

	/** What whatever belongs to this call must be sent with. */
	ContextView context() {
		Sent current = this.sent;
		return (current != null) ? current.context() : Context.empty();
	}

	/** End it before the server has answered, and return whether this was the first. */
	boolean end(Ending how) {
		return this.ending.compareAndSet(null, how);
	}

	/** How it ended, or {@code null} as long as it waits for its answer or has it. */
	@Nullable Ending ending() {
		return this.ending.get();
	}

	void forgetAt(long nanoTime) {
		this.forgottenAt = nanoTime;
	}

	boolean isForgotten(long now) {
		Long at = this.forgottenAt;
		return at != null && now - at > 0;
	}

	/**
	 * How a call ended other than by its answer.
	 */
	enum Ending {

		/** The tool asked a person. */
		ASKED,

		/** This tool or another that ran at the same time asked a person. */
		MAY_HAVE_ASKED,

		/** The server is gone. */
		GONE,

		/** Nobody waits for it any more. */
		GIVEN_UP

	}

	/**
	 * What it was sent as.
	 *
	 * @param id its number
	 * @param context what it was sent with
	 */
	private record Sent(Object id, ContextView context) {

	}

}
