package io.psych.sandbox.spring.mcp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.log.Quoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names that tools of servers are offered by. A tool keeps its own name as long as no
 * one else has ever had it in the life of this object; from then on it is
 * {@code <connection>_<tool>}, for each of those that had it. So a name never comes to
 * mean the tool of another server, and which name a tool has follows from who has been
 * seen, not from who was seen first.
 */
final class McpNames {

	private static final Logger logger = LoggerFactory.getLogger(McpNames.class);

	/** A server may think of new names without an end. */
	static final int MOST = 20_000;

	/** The connections that have had a tool of a name. */
	private final Map<String, Set<String>> claims = new HashMap<>();

	/** The names of tools that are no server's. */
	private final Set<String> others = new HashSet<>();

	/** The tools whose connection and name together read the same. */
	private final Map<String, Set<Key>> qualified = new HashMap<>();

	private int claimed;

	/**
	 * Name tools.
	 * @param tools the tools there are
	 * @param taken the names of tools that are no server's
	 * @return the names, without tools that can't have one of their own
	 */
	synchronized Map<Key, String> of(Collection<Key> tools, Set<String> taken) {
		boolean grown = this.others.addAll(taken);
		for (Key tool : tools) {
			grown |= claim(tool);
		}
		while (grown) {
			grown = qualify();
		}
		Map<String, Key> names = new LinkedHashMap<>();
		Set<String> twice = new HashSet<>();
		for (Key tool : tools) {
			if (isClaimed(tool) && names.put(name(tool), tool) != null) {
				twice.add(name(tool));
			}
		}
		Map<Key, String> named = new LinkedHashMap<>();
		names.forEach((name, tool) -> {
			if (twice.contains(name) || this.others.contains(name)) {
				logger.warn("The MCP tools that would be named {} are left out; rename their connections",
						Quoted.text(name));
			}
			else {
				named.put(tool, name);
			}
		});
		return named;
	}

	private boolean claim(Key tool) {
		Set<String> connections = this.claims.computeIfAbsent(tool.tool(), (name) -> new HashSet<>());
		if (this.claimed < MOST && connections.add(tool.connection())) {
			this.claimed++;
			return true;
		}
		return false;
	}

	private boolean isClaimed(Key tool) {
		boolean isClaimed = this.claims.getOrDefault(tool.tool(), Set.of()).contains(tool.connection());
		if (!isClaimed) {
			logger.warn("MCP tool {} of {} is left out, there have been too many names", Quoted.text(tool.tool()),
					Quoted.text(tool.connection()));
		}
		return isClaimed;
	}

	/**
	 * Put the connection before names that are shared, and return whether any was new.
	 */
	private boolean qualify() {
		boolean grown = false;
		for (Map.Entry<String, Set<String>> claim : this.claims.entrySet()) {
			if (isShared(claim.getKey())) {
				for (String connection : claim.getValue()) {
					Key tool = new Key(connection, claim.getKey());
					grown |= this.qualified.computeIfAbsent(qualified(tool), (name) -> new HashSet<>()).add(tool);
				}
			}
		}
		return grown;
	}

	private boolean isShared(String name) {
		return this.others.contains(name) || this.claims.getOrDefault(name, Set.of()).size() > 1
				|| this.qualified.containsKey(name);
	}

	private String name(Key tool) {
		if (!isShared(tool.tool())) {
			return tool.tool();
		}
		String name = qualified(tool);
		boolean isUnique = !this.others.contains(name) && this.qualified.getOrDefault(name, Set.of()).size() == 1;
		return isUnique ? name : name + "_" + digest(tool);
	}

	private static String qualified(Key tool) {
		String connection = tool.connection().replaceAll("[^A-Za-z0-9_]", "_");
		boolean isIdentifier = !connection.isEmpty() && !Character.isDigit(connection.charAt(0));
		return (isIdentifier ? connection : "mcp_" + connection) + "_" + tool.tool();
	}

	private static String digest(Key tool) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256")
				.digest((tool.connection() + '\n' + tool.tool()).getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, 4);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every JDK has SHA-256", ex);
		}
	}

	/**
	 * A tool, told apart from all others.
	 *
	 * @param connection the connection it is reached over
	 * @param tool the name its server has for it
	 */
	record Key(String connection, String tool) {

	}

}
