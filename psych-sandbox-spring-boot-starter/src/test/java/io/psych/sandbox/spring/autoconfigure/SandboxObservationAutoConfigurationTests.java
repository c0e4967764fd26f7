package io.psych.sandbox.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.CallOutcome;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.observation.CallObservationContext;
import io.psych.sandbox.spring.observation.CallObservationConvention;
import io.psych.sandbox.spring.observation.DefaultExecutionObservationConvention;
import io.psych.sandbox.spring.observation.ExecutionObservationContext;
import io.psych.sandbox.spring.observation.ExecutionObservationConvention;
import io.psych.sandbox.spring.observation.ObservationListener;
import io.psych.sandbox.spring.observation.SandboxMeters;
import io.psych.sandbox.spring.observation.StationListener;
import io.psych.sandbox.tool.ToolGateway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link SandboxObservationAutoConfiguration} with the real backends of this
 * host.
 */
class SandboxObservationAutoConfigurationTests {

	private static final String PROGRAM = """
			await one(word="s3cr3t")
			try:
			    await call_tool("s3cr3t-name")
			except ToolError:
			    "s3cr3t"
			""";

	private final ApplicationContextRunner bare = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(SandboxAutoConfiguration.class, SandboxObservationAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withBean(FixedTool.class, () -> new FixedTool("one", (arguments) -> arguments));

	/** Also checks that each observation and scope ends once and where it began. */
	private final TestObservationRegistry observations = TestObservationRegistry.create();

	private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

	private final ApplicationContextRunner observed = this.bare.withBean(ObservationRegistry.class,
			() -> this.observations);

	private final ApplicationContextRunner metered = this.bare.withConfiguration(
			AutoConfigurations.of(MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
					SimpleMetricsExportAutoConfiguration.class, ObservationAutoConfiguration.class));

	@BeforeEach
	void collect() {
		this.observations.observationConfig().observationHandler(new ObservationHandler<>() {

			@Override
			public void onStop(Observation.Context context) {
				SandboxObservationAutoConfigurationTests.this.stopped.add(context);
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
	}

	@Test
	void executionAndItsCallsAreOneTrace() {
		this.observed.run((context) -> {
			Sandbox sandbox = context.getBean(Sandbox.class);
			Observation turn = Observation.createNotStarted("turn", this.observations);
			RunResult result = turn.observe(() -> sandbox.run(RunRequest.of(PROGRAM)));
			assertThat(result.failure()).isNull();
			Observation.Context execution = stopped("psych.sandbox.execution").get(0);
			assertThat(execution.getParentObservation().getContextView().getName()).isEqualTo("turn");
			assertThat(values(execution)).containsOnly(entry("backend", sandbox.selection().chosen()),
					entry("level", result.isolation().level().id()), entry("profile", "none"),
					entry("outcome", "success"), entry("limit", "none"),
					entry("start", (sandbox.pool().taken() > 0) ? "warm" : "cold"));
			assertThat(stopped("psych.sandbox.call"))
				.allSatisfy((call) -> assertThat(call.getParentObservation().getContextView()).isSameAs(execution))
				.extracting(SandboxObservationAutoConfigurationTests::values)
				.containsExactly(Map.of("tool", "one", "origin", "program", "outcome", "success"),
						Map.of("tool", "other", "origin", "program", "outcome", "not_offered"));
			assertThat(this.observations.getCurrentObservation()).isNull();
		});
	}

	@Test
	void directCallOfTheModelIsPartOfItsTurn() {
		this.observed.run((context) -> {
			ToolGateway gateway = context.getBean(ToolGateway.class);
			CallOutcome outcome = Observation.createNotStarted("turn", this.observations)
				.observe(() -> gateway.call("one", JsonValue.parse("{}"), Scope.NONE, Map.of()));
			assertThat(outcome).isInstanceOf(CallOutcome.Value.class);
			Observation.Context call = stopped("psych.sandbox.call").get(0);
			assertThat(call.getParentObservation().getContextView().getName()).isEqualTo("turn");
			assertThat(values(call)).containsEntry("origin", "model");
		});
	}

	@Test
	void nothingOfProgramArgumentsScopeOrInventedNamesIsObserved() {
		this.observed
			.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class,
					CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class))
			.run((context) -> {
				context.getBean(Sandbox.class)
					.run(RunRequest.of(PROGRAM).withScope(new Scope("s3cr3t", "s3cr3t", "s3cr3t")));
				assertThat(this.stopped).hasSize(3);
				String all = this.stopped.stream()
					.map((one) -> one.getContextualName() + " " + one.getAllKeyValues())
					.collect(Collectors.joining());
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				String ids = meters.getMeters().stream().map(Meter::getId).map(Meter.Id::toString).toList().toString();
				assertThat(all + ids).contains("other").contains("psych.sandbox.station").doesNotContain("s3cr3t");
			});
	}

	@Test
	void limitAndProfileOfAnExecutionAreTold() {
		this.observed.withPropertyValues("psych.sandbox.profiles.short.wall-time=300ms").run((context) -> {
			context.getBean(Sandbox.class).run(RunRequest.of("while True: pass").withProfile("short"));
			assertThat(values(stopped("psych.sandbox.execution").get(0))).contains(entry("profile", "short"),
					entry("outcome", "timeout"), entry("limit", "wall_clock"));
		});
	}

	@Test
	void metersCountAndTimeWhatHappens() {
		this.metered.withPropertyValues("psych.sandbox.pool.size=0", "psych.sandbox.backend=process").run((context) -> {
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			Sandbox sandbox = context.getBean(Sandbox.class);
			sandbox.run(RunRequest.of("1"));
			sandbox.run(RunRequest.of(PROGRAM));
			sandbox.run(RunRequest.of("1/0"));
			Timer success = meters.get("psych.sandbox.execution").tag("outcome", "success").timer();
			assertThat(success.count()).isEqualTo(2);
			assertThat(success.getId().getTags()).extracting(Tag::getKey)
				.containsExactly("backend", "error", "level", "limit", "outcome", "profile", "start");
			assertThat(meters.get("psych.sandbox.execution").tag("outcome", "program_exception").timer().count())
				.isEqualTo(1);
			assertThat(meters.get("psych.sandbox.call").tag("tool", "one").timer().count()).isEqualTo(1);
			for (String station : List.of("admission", "start", "program", "teardown", "artifacts")) {
				Timer timer = meters.get("psych.sandbox.station").tag("station", station).timer();
				assertThat(timer.count()).as(station).isEqualTo(3);
				assertThat(timer.getId().getTags()).contains(Tag.of("backend", "process"), Tag.of("start", "cold"));
			}
			assertThat(meters.get("psych.sandbox.admission.max").gauge().value()).isEqualTo(64);
			assertThat(meters.get("psych.sandbox.admission.running").gauge().value()).isZero();
		});
	}

	@Test
	void metersShowThePoolAndWhoWasRefused() {
		this.metered
			.withPropertyValues("psych.sandbox.pool.size=1", "psych.sandbox.concurrent-executions=1",
					"psych.sandbox.queue.size=0")
			.run((context) -> {
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				Sandbox sandbox = context.getBean(Sandbox.class);
				while (sandbox.pool().waiting() == 0) {
					Thread.onSpinWait();
				}
				assertThat(meters.get("psych.sandbox.pool.size").gauge().value()).isOne();
				assertThat(meters.get("psych.sandbox.pool.waiting").gauge().value()).isOne();
				sandbox.run(RunRequest.of("1"));
				assertThat(meters.get("psych.sandbox.pool.taken").functionCounter().count()).isOne();
				assertThat(meters.get("psych.sandbox.pool.missed").functionCounter().count()).isZero();
				assertThat(meters.get("psych.sandbox.admission.refused").functionCounter().count()).isZero();
				assertThat(meters.get("psych.sandbox.station").tag("start", "warm").timers()).hasSize(5);
			});
	}

	@Test
	void everyMeterIsDocumentedAndEveryDocumentedOneIsThere() {
		this.metered.run((context) -> {
			context.getBean(Sandbox.class).run(RunRequest.of("await one()"));
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			List<String> names = meters.getMeters()
				.stream()
				.map((meter) -> meter.getId().getName())
				.filter((name) -> name.startsWith("psych.sandbox."))
				.filter((name) -> !name.startsWith("psych.sandbox.execution") && !name.startsWith("psych.sandbox.call"))
				.distinct()
				.toList();
			assertThat(names).containsExactlyInAnyOrderElementsOf(
					List.of(SandboxMeters.values()).stream().map(SandboxMeters::getName).toList());
			for (SandboxMeters meter : SandboxMeters.values()) {
				Meter.Id id = meters.get(meter.getName()).meters().iterator().next().getId();
				assertThat(id.getType()).as(meter.getName()).isEqualTo(meter.getType());
				assertThat(id.getTags()).extracting(Tag::getKey)
					.containsExactlyElementsOf(
							List.of(meter.getKeyNames()).stream().map((key) -> key.asString()).toList());
				if (meter.getType() != Meter.Type.TIMER) {
					assertThat(id.getBaseUnit()).isEqualTo(meter.getBaseUnit());
				}
			}
		});
	}

	@Test
	void conventionsOfTheApplicationReplaceNamesAndTags() {
		this.observed.withBean(ShortConvention.class)
			.withBean(CallObservationConvention.class, () -> new CallObservationConvention() {

				@Override
				public String getName() {
					return "tool";
				}

				@Override
				public KeyValues getLowCardinalityKeyValues(CallObservationContext context) {
					return KeyValues.of("which", context.tool());
				}

			})
			.run((context) -> {
				context.getBean(Sandbox.class).run(RunRequest.of("await one()"));
				assertThat(values(stopped("program").get(0))).containsOnlyKeys("outcome");
				assertThat(values(stopped("tool").get(0))).containsOnly(entry("which", "one"));
			});
	}

	@Test
	void runWithoutRegistriesHasNoListener() {
		this.bare.withPropertyValues("psych.sandbox.backend=process")
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Sandbox.class)
				.doesNotHaveBean(ObservationListener.class)
				.doesNotHaveBean(StationListener.class)
				.doesNotHaveBean("psychSandboxMeterBinder"));
	}

	@Test
	void runWhenSandboxIsDisabledHasNoListener() {
		this.metered.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(ObservationListener.class)
				.doesNotHaveBean(StationListener.class));
	}

	@Test
	void runWhenApplicationHasListenersBacksOff() {
		ObservationListener own = new ObservationListener(ObservationRegistry.NOOP, null, null);
		this.metered.withPropertyValues("psych.sandbox.backend=process")
			.withBean(ObservationListener.class, () -> own)
			.run((context) -> {
				assertThat(context.getBean(ObservationListener.class)).isSameAs(own);
				context.getBean(Sandbox.class).run(RunRequest.of("1"));
				assertThat(context.getBean(MeterRegistry.class).find("psych.sandbox.execution").timers()).isEmpty();
			});
	}

	@Test
	void runWithoutUsableBackendHasNoMetersOfIt() {
		this.metered
			.withPropertyValues("psych.sandbox.backend=bubblewrap",
					"psych.sandbox.bubblewrap.executable=/no/such/bwrap")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(MeterRegistry.class).find("psych.sandbox.pool.size").gauge()).isNull();
			});
	}

	@Test
	void runWithoutMicrometerOnClasspathObservesNothing() {
		ApplicationContextRunner imported = new ApplicationContextRunner()
			.withUserConfiguration(ImportingConfiguration.class)
			.withPropertyValues(TestHost.PROPERTIES)
			.withPropertyValues("psych.sandbox.backend=process");
		imported.withBean(ObservationRegistry.class, () -> this.observations)
			.run((context) -> assertThat(context).hasSingleBean(ObservationListener.class));
		imported.withClassLoader(new FilteredClassLoader("io.micrometer")).run((context) -> {
			assertThat(context).hasNotFailed()
				.hasSingleBean(Sandbox.class)
				.doesNotHaveBean("psychSandboxObservationListener")
				.doesNotHaveBean("psychSandboxStationListener");
			assertThat(context.getBean(Sandbox.class).run(RunRequest.of("1")).succeeded()).isTrue();
		});
	}

	private List<Observation.Context> stopped(String name) {
		return this.stopped.stream().filter((context) -> name.equals(context.getName())).toList();
	}

	private static Map<String, String> values(Observation.Context context) {
		return context.getLowCardinalityKeyValues()
			.stream()
			.collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
	}

	static class ShortConvention implements ExecutionObservationConvention {

		private final ExecutionObservationConvention whole = new DefaultExecutionObservationConvention();

		@Override
		public String getName() {
			return "program";
		}

		@Override
		public KeyValues getLowCardinalityKeyValues(ExecutionObservationContext context) {
			return KeyValues.of(this.whole.getLowCardinalityKeyValues(context)
				.stream()
				.filter((value) -> value.getKey().equals("outcome"))
				.toList());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SandboxAutoConfiguration.class, SandboxObservationAutoConfiguration.class })
	static class ImportingConfiguration {

	}

}
