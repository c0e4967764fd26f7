package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.psych.sandbox.NoUsableBackendException;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.SandboxBuilder;
import io.psych.sandbox.backend.BackendSelection;
import io.psych.sandbox.backend.BackendSelection.Candidate;
import io.psych.sandbox.limits.IsolationReport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this host can offer, found out once, when the bean is created. Not by a condition
 * on the other beans: what a host can do is a fact of the host that runs, while
 * conditions are also evaluated on the one that builds (ahead-of-time processing), and
 * before the {@link io.psych.sandbox.spring.SandboxBuilderCustomizer customizers} a
 * backend may depend on can be created. Where nothing is usable, the beans that need a
 * sandbox are {@code null} beans, which Spring treats as absent: an optional injection
 * point or a list is empty, a required one fails.
 */
final class SandboxDetection implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(SandboxDetection.class);

	private final @Nullable Sandbox sandbox;

	private final BackendSelection selection;

	private SandboxDetection(@Nullable Sandbox sandbox, BackendSelection selection) {
		this.sandbox = sandbox;
		this.selection = selection;
	}

	/**
	 * Select a backend and say in the log what came of it.
	 * @param builder the builder
	 * @param failFast whether to throw instead of going without
	 * @return what was found
	 * @throws NoUsableBackendException if nothing is usable and it is to fail fast
	 * @throws UnmetRequirementException if what is required is not met and it is to fail
	 * fast
	 */
	static SandboxDetection detect(SandboxBuilder builder, boolean failFast) {
		try {
			return check(builder.build(), failFast);
		}
		catch (NoUsableBackendException ex) {
			if (failFast) {
				throw ex;
			}
			logger.warn("There is no run_code tool: {}", ex.getMessage());
			return new SandboxDetection(null, ex.selection());
		}
	}

	private static SandboxDetection check(Sandbox sandbox, boolean failFast) {
		BackendSelection selection = sandbox.selection();
		IsolationReport trial = trial(selection);
		List<String> unmet = sandbox.requirement().unmet(trial);
		if (failFast || !unmet.isEmpty()) {
			// Waits for the proof of the CPU limit, about a second, and is the last word.
			unmet = sandbox.unmet();
		}
		if (unmet.isEmpty()) {
			logger.info("Programs run with backend {} at level {}, Python {}.{}", trial.backend(), trial.level().id(),
					sandbox.pythonVersion(), notTaken(selection));
		}
		else if (failFast) {
			sandbox.close();
			throw new UnmetRequirementException(unmet, selection);
		}
		else {
			logger.warn("Every program will be refused: {}.{}", String.join("; ", unmet), notTaken(selection));
		}
		return new SandboxDetection(sandbox, selection);
	}

	private static String notTaken(BackendSelection selection) {
		String whyNot = selection.whyNot();
		return whyNot.isEmpty() ? "" : " Not taken: " + whyNot;
	}

	private static IsolationReport trial(BackendSelection selection) {
		return selection.candidates()
			.stream()
			.filter(Candidate::usable)
			.map(Candidate::report)
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Return the candidates that can't be used.
	 * @param selection a selection
	 * @return the candidates, in the order they were tried
	 */
	static List<Candidate> unusable(BackendSelection selection) {
		List<Candidate> unusable = new ArrayList<>(selection.candidates());
		unusable.removeIf(Candidate::usable);
		return unusable;
	}

	/**
	 * Return the sandbox.
	 * @return the sandbox, or {@code null} where no backend is usable
	 */
	@Nullable Sandbox sandbox() {
		return this.sandbox;
	}

	/**
	 * Return what was tried and what came of it.
	 * @return the selection
	 */
	BackendSelection selection() {
		return this.selection;
	}

	@Override
	public void close() {
		if (this.sandbox != null) {
			this.sandbox.close();
		}
	}

}
