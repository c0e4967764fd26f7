package io.psych.sandbox.spring.observation;

import java.util.function.ToDoubleFunction;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.psych.sandbox.Sandbox;

/**
 * {@link MeterBinder} for the pool of a sandbox and for who runs and waits.
 *
 * @since 0.1.0
 */
public final class SandboxMeterBinder implements MeterBinder {

	private final Sandbox sandbox;

	/**
	 * Create a new instance.
	 * @param sandbox the sandbox
	 */
	public SandboxMeterBinder(Sandbox sandbox) {
		this.sandbox = sandbox;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		gauge(registry, SandboxMeters.ADMISSION_RUNNING, (sandbox) -> sandbox.admission().running());
		gauge(registry, SandboxMeters.ADMISSION_MAX, (sandbox) -> sandbox.admission().most());
		gauge(registry, SandboxMeters.ADMISSION_WAITING, (sandbox) -> sandbox.admission().waiting());
		counter(registry, SandboxMeters.ADMISSION_REFUSED, (sandbox) -> sandbox.admission().refused());
		gauge(registry, SandboxMeters.POOL_SIZE, (sandbox) -> sandbox.pool().size());
		gauge(registry, SandboxMeters.POOL_WAITING, (sandbox) -> sandbox.pool().waiting());
		counter(registry, SandboxMeters.POOL_TAKEN, (sandbox) -> sandbox.pool().taken());
		counter(registry, SandboxMeters.POOL_MISSED, (sandbox) -> sandbox.pool().missed());
		counter(registry, SandboxMeters.POOL_EXPIRED, (sandbox) -> sandbox.pool().expired());
		counter(registry, SandboxMeters.POOL_FAILED, (sandbox) -> sandbox.pool().failed());
	}

	private void gauge(MeterRegistry registry, SandboxMeters meter, ToDoubleFunction<Sandbox> value) {
		Gauge.builder(meter.getName(), this.sandbox, value).baseUnit(meter.getBaseUnit()).register(registry);
	}

	private void counter(MeterRegistry registry, SandboxMeters meter, ToDoubleFunction<Sandbox> value) {
		FunctionCounter.builder(meter.getName(), this.sandbox, value).baseUnit(meter.getBaseUnit()).register(registry);
	}

}
