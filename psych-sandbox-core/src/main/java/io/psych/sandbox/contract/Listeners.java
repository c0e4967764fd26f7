package io.psych.sandbox.contract;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All listeners as one that never throws. The ends are told in the reverse order of the
 * beginnings, as what a listener put on the thread has to be taken away.
 *
 * @since 0.1.0
 */
public final class Listeners implements SandboxListener {

	private static final Logger logger = LoggerFactory.getLogger(Listeners.class);

	private final List<SandboxListener> listeners;

	private final AtomicBoolean logged = new AtomicBoolean();

	/**
	 * Create a new instance.
	 * @param listeners the listeners, in their order
	 */
	public Listeners(Collection<SandboxListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public Consumer<ExecutionFacts> executionBegins(@Nullable String profile) {
		return begin((listener) -> listener.executionBegins(profile));
	}

	@Override
	public Consumer<CallFacts> callBegins(String tool, CallOrigin origin) {
		return begin((listener) -> listener.callBegins(tool, origin));
	}

	private <T> Consumer<T> begin(Function<SandboxListener, Consumer<T>> begin) {
		if (this.listeners.isEmpty()) {
			return (facts) -> {
			};
		}
		List<Consumer<T>> ends = new ArrayList<>();
		for (SandboxListener listener : this.listeners) {
			guard(listener, () -> ends.add(0, begin.apply(listener)));
		}
		return (facts) -> ends.forEach((end) -> guard(end, () -> end.accept(facts)));
	}

	private void guard(Object listener, Runnable told) {
		try {
			told.run();
		}
		catch (RuntimeException | LinkageError ex) {
			if (this.logged.compareAndSet(false, true)) {
				logger.warn("Listener {} failed, further failures of listeners are not logged", listener, ex);
			}
		}
	}

}
