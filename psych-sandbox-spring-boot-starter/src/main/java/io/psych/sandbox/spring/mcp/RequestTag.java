package io.psych.sandbox.spring.mcp;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The metadata of a request of ours. The client hands it to its transport as it is, and
 * nothing else that we have in hand reaches it: so the connection a request is sent over
 * knows whose it is.
 *
 * @param <T> whose the request is
 */
final class RequestTag<T> extends AbstractMap<String, Object> {

	private final T owner;

	private final Map<String, Object> sent;

	RequestTag(T owner, Map<String, Object> sent) {
		this.owner = owner;
		this.sent = sent;
	}

	T owner() {
		return this.owner;
	}

	@Override
	public Set<Entry<String, Object>> entrySet() {
		return this.sent.entrySet();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

}
