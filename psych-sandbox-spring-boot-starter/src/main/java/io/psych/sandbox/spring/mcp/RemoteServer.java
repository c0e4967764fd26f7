package io.psych.sandbox.spring.mcp;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.psych.sandbox.log.Quoted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server and its tools of the moment. They are asked for when they are needed: again
 * when the server has announced a change, and each time where it would not announce one
 * or we would not notice.
 */
final class RemoteServer {

	private static final Logger logger = LoggerFactory.getLogger(RemoteServer.class);

	/** Asking a server that is down can take as long as the request timeout. */
	static final Duration RETRY = Duration.ofSeconds(30);

	private final McpPeer peer;

	private final LongSupplier nanoTime;

	private final AtomicBoolean toldUnfit = new AtomicBoolean();

	private volatile @Nullable Listing latest;

	/** When it may be asked again, or {@code null} when it answered the last time. */
	private volatile @Nullable Long retryAt;

	RemoteServer(McpPeer peer, LongSupplier nanoTime) {
		this.peer = peer;
		this.nanoTime = nanoTime;
	}

	McpPeer peer() {
		return this.peer;
	}

	/** The name of the connection, or what its client calls itself. */
	String name() {
		McpConnection connection = connection();
		if (connection != null) {
			return connection.name();
		}
		String title = this.peer.info().title();
		return (title != null && !title.isBlank()) ? title : this.peer.info().name();
	}

	/** The connection, or {@code null} when it is none that we watch. */
	@Nullable McpConnection connection() {
		Listing listing = this.latest;
		return (listing != null) ? listing.connection() : null;
	}

	/** Whether the server may ask a person in the middle of a call. */
	boolean mayAsk() {
		return this.peer.capabilities().elicitation() != null;
	}

	/** The tools of the moment; none as long as the server can't be asked. */
	List<RemoteTool> tools() {
		Listing listing = this.latest;
		return (listing != null && listing.isLatest() && isFit(listing.connection()) && announcesChanges())
				? listing.tools() : ask();
	}

	/** Ask anew, and return whether the server still has a tool, as far as it says. */
	boolean stillHas(String tool) {
		List<RemoteTool> tools = ask();
		return this.retryAt != null || tools.stream().map(RemoteTool::name).anyMatch(tool::equals);
	}

	private List<RemoteTool> ask() {
		Long retry = this.retryAt;
		if (isGone() || !hasTools() || (retry != null && this.nanoTime.getAsLong() - retry < 0)) {
			return List.of();
		}
		try {
			Listing listing = Listing.of(this.peer);
			this.latest = listing;
			this.retryAt = null;
			return isFit(listing.connection()) ? listing.tools() : List.of();
		}
		catch (RuntimeException ex) {
			if (McpFailures.isInterruption(ex)) {
				Thread.currentThread().interrupt();
			}
			else if (hasTools()) {
				this.retryAt = this.nanoTime.getAsLong() + RETRY.toNanos();
				logger.warn(
						"MCP server {} can't be asked for its tools, none of them is offered; asked again in {}: {}",
						Quoted.text(name()), RETRY, Quoted.text(McpFailures.root(ex).toString()));
			}
			return List.of();
		}
	}

	/** Whether tools may be offered over a connection. */
	private boolean isFit(@Nullable McpConnection connection) {
		if (connection != null && connection.isPlaceKnown()) {
			return true;
		}
		if (this.toldUnfit.compareAndSet(false, true)) {
			logger.warn("The tools of MCP server {} are not offered: {}. Build its client on McpConnections.watch",
					Quoted.text(name()),
					(connection != null) ? "where its connection leads is not known" : "its connection is not watched");
		}
		return false;
	}

	private boolean isGone() {
		McpConnection connection = connection();
		return connection != null && connection.isGone();
	}

	private boolean hasTools() {
		InitializeResult server = this.peer.server();
		return server == null || server.capabilities().tools() != null;
	}

	private boolean announcesChanges() {
		InitializeResult server = this.peer.server();
		return server != null && server.capabilities().tools() != null
				&& Boolean.TRUE.equals(server.capabilities().tools().listChanged());
	}

}
