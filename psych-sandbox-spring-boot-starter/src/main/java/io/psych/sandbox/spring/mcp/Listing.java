package io.psych.sandbox.spring.mcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.psych.sandbox.log.Quoted;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tools a server had when it was asked for them.
 */
final class Listing {

	private static final Logger logger = LoggerFactory.getLogger(Listing.class);

	/** Far more than a model can choose from; a server may list without an end. */
	static final int MOST_TOOLS = 1_000;

	private static final int MOST_PAGES = 100;

	/** What MCP allows a name to have. */
	private static final int MOST_NAME = 128;

	private final RequestTag<Listing> tag = new RequestTag<>(this, Map.of());

	private final Set<String> tasks = ConcurrentHashMap.newKeySet();

	private volatile @Nullable McpConnection connection;

	/** How often the list had changed when it was asked for. */
	private volatile long change;

	private List<RemoteTool> tools = List.of();

	/**
	 * Ask a server for its tools, page by page.
	 * @param peer the client of the server
	 * @return the tools
	 */
	static Listing of(McpPeer peer) {
		Listing listing = new Listing();
		List<Tool> tools = new ArrayList<>();
		String cursor = null;
		int pages = 0;
		do {
			ListToolsResult page = peer.list(cursor, listing.tag);
			tools.addAll(page.tools());
			cursor = page.nextCursor();
			pages++;
		}
		while (cursor != null && !cursor.isEmpty() && pages < MOST_PAGES && tools.size() <= MOST_TOOLS);
		if (cursor != null && !cursor.isEmpty() || tools.size() > MOST_TOOLS) {
			logger.warn("MCP server {} lists more tools than the {} that are looked at",
					Quoted.text(peer.info().name()), MOST_TOOLS);
		}
		listing.tools = listing.read(tools);
		return listing;
	}

	/** Note the connection the first page is asked for over. */
	void sentOver(McpConnection connection, long change) {
		if (this.connection == null) {
			this.connection = connection;
			this.change = change;
		}
	}

	/**
	 * Read what the client does not hand on. A tool that only runs as a task is started
	 * by its call and ends when it likes.
	 * @param page a page of the list as the server sent it
	 */
	void received(Object page) {
		if (page instanceof Map<?, ?> members && members.get("tools") instanceof List<?> listed) {
			for (Object element : listed) {
				if (element instanceof Map<?, ?> tool && tool.get("name") instanceof String name
						&& tool.get("execution") instanceof Map<?, ?> execution
						&& "required".equals(execution.get("taskSupport"))) {
					this.tasks.add(name);
				}
			}
		}
	}

	List<RemoteTool> tools() {
		return this.tools;
	}

	/** The connection, or {@code null} when it is none that we watch. */
	@Nullable McpConnection connection() {
		return this.connection;
	}

	/** Whether nothing was announced since, by a connection that would have noticed. */
	boolean isLatest() {
		McpConnection watched = this.connection;
		return watched != null && watched.changes() == this.change;
	}

	private List<RemoteTool> read(List<Tool> listed) {
		Map<String, RemoteTool> named = new LinkedHashMap<>();
		Set<String> twice = new HashSet<>();
		for (Tool tool : listed.subList(0, Math.min(listed.size(), MOST_TOOLS))) {
			if (!isName(tool.name())) {
				logger.warn("An MCP tool is left out, its name can't be one: {}", Quoted.text(tool.name()));
			}
			else if (named.putIfAbsent(tool.name(), RemoteTool.of(tool, this.tasks.contains(tool.name()))) != null
					&& twice.add(tool.name())) {
				logger.warn("An MCP server lists a tool twice, the first is taken: {}", Quoted.text(tool.name()));
			}
		}
		return List.copyOf(named.values());
	}

	private static boolean isName(String name) {
		return !name.isBlank() && name.length() <= MOST_NAME && name.codePoints().noneMatch(Character::isISOControl);
	}

}
