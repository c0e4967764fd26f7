package io.psych.sandbox.spring.autoconfigure;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import io.psych.sandbox.tool.ContextPropagation;

/**
 * Carries what Micrometer's context propagation knows of: the observation in progress,
 * the security context where Spring Security is there, and whatever else registers an
 * accessor.
 */
final class SnapshotPropagation implements ContextPropagation {

	private final ContextSnapshotFactory snapshots = ContextSnapshotFactory.builder().build();

	@Override
	public Captured capture() {
		ContextSnapshot snapshot = this.snapshots.captureAll();
		return () -> {
			ContextSnapshot.Scope scope = snapshot.setThreadLocals();
			return scope::close;
		};
	}

}
