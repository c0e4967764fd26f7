package io.psych.sandbox.spring.autoconfigure;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.psych.sandbox.limits.ByteSize;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Guarantee;
import io.psych.sandbox.limits.Level;
import io.psych.sandbox.limits.Limits;
import io.psych.sandbox.limits.Requirement;
import io.psych.sandbox.terms.Grant;
import io.psych.sandbox.terms.Spec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxProperties}.
 */
class SandboxPropertiesTests {

	@Test
	void bindWithoutPropertiesGivesDefaults() {
		SandboxProperties properties = bind();
		assertThat(properties.enabled()).isTrue();
		assertThat(properties.backend()).isEqualTo("auto");
		assertThat(properties.interpreter()).isNull();
		assertThat(properties.folder()).isNull();
		assertThat(properties.runAs()).isNull();
		assertThat(properties.allowSameUser()).isFalse();
		assertThat(properties.environment()).isEmpty();
		assertThat(properties.networkAllowed()).isFalse();
		assertThat(properties.teardownGrace()).isEqualTo(Duration.ofSeconds(2));
		assertThat(properties.concurrentCalls()).isEqualTo(16);
		assertThat(properties.concurrentExecutions()).isEqualTo(64);
		assertThat(properties.queue()).isEqualTo(new QueueProperties(256, Duration.ofSeconds(30)));
		assertThat(properties.pool()).isEqualTo(new PoolProperties(2, Duration.ofMinutes(10)));
		assertThat(properties.bubblewrap().executable()).isNull();
		assertThat(properties.requirement()).isEqualTo(Requirement.floor());
		assertThat(properties.failFast()).isFalse();
		assertThat(properties.defaultLimits()).isEqualTo(Limits.defaults());
		assertThat(properties.profileLimits()).isEmpty();
		assertThat(properties.tools().offers("anything at all")).isTrue();
		assertThat(properties.tool().enabled()).isTrue();
		assertThat(properties.tool().exposeOverMcp()).isFalse();
	}

	@Test
	void bindReadsEveryProperty() {
		SandboxProperties properties = bind("enabled=false", "backend=process", "interpreter=/opt/python/bin/python3",
				"folder=/var/sandbox", "run-as=runner", "allow-same-user=true", "environment=LANG,TZ",
				"network-allowed=true", "teardown-grace=500ms", "concurrent-calls=4", "concurrent-executions=5",
				"queue.size=6", "queue.patience=7s", "pool.size=8", "pool.max-age=9m",
				"bubblewrap.executable=/opt/bwrap", "require.level=isolated", "require.guarantees=process-tree,cpu",
				"require.network-denial=true", "fail-fast=true", "tools.include=orders_*", "tools.exclude=*_delete",
				"tool.enabled=false", "tool.expose-over-mcp=true");
		assertThat(properties.enabled()).isFalse();
		assertThat(properties.backend()).isEqualTo("process");
		assertThat(properties.interpreter()).isEqualTo(Path.of("/opt/python/bin/python3"));
		assertThat(properties.folder()).isEqualTo(Path.of("/var/sandbox"));
		assertThat(properties.runAs()).isEqualTo("runner");
		assertThat(properties.allowSameUser()).isTrue();
		assertThat(properties.environment()).containsExactly("LANG", "TZ");
		assertThat(properties.networkAllowed()).isTrue();
		assertThat(properties.teardownGrace()).isEqualTo(Duration.ofMillis(500));
		assertThat(properties.concurrentCalls()).isEqualTo(4);
		assertThat(properties.concurrentExecutions()).isEqualTo(5);
		assertThat(properties.queue()).isEqualTo(new QueueProperties(6, Duration.ofSeconds(7)));
		assertThat(properties.pool()).isEqualTo(new PoolProperties(8, Duration.ofMinutes(9)));
		assertThat(properties.bubblewrap().executable()).isEqualTo(Path.of("/opt/bwrap"));
		assertThat(properties.requirement().level()).isEqualTo(Level.ISOLATED);
		assertThat(properties.requirement().guarantees()).containsExactlyInAnyOrder(Guarantee.PROCESS_TREE,
				Guarantee.CPU, Guarantee.NETWORK);
		assertThat(properties.failFast()).isTrue();
		assertThat(properties.tool().enabled()).isFalse();
		assertThat(properties.tool().exposeOverMcp()).isTrue();
	}

	@Test
	void bindReadsEveryLimit() {
		SandboxProperties properties = bind("limits.cpu=3s", "limits.wall-time=2m", "limits.tool-timeout=90s",
				"limits.address-space=1GB", "limits.file-size=5MB", "limits.workspace=6MB", "limits.processes=7",
				"limits.stream=8KB", "limits.value=9KB", "limits.program=10KB");
		assertThat(properties.defaultLimits()).isEqualTo(new Limits(Duration.ofSeconds(3), Duration.ofMinutes(2),
				Duration.ofSeconds(90), ByteSize.ofMebibytes(1024), ByteSize.ofMebibytes(5), ByteSize.ofMebibytes(6), 7,
				ByteSize.ofKibibytes(8), ByteSize.ofKibibytes(9), ByteSize.ofKibibytes(10)));
	}

	@Test
	void bindReadsBareNumberAsSeconds() {
		SandboxProperties properties = bind("teardown-grace=3", "limits.cpu=4", "limits.wall-time=50",
				"limits.tool-timeout=6", "profiles.batch.wall-time=70", "queue.patience=8", "pool.max-age=90");
		assertThat(properties.queue().patience()).isEqualTo(Duration.ofSeconds(8));
		assertThat(properties.pool().maxAge()).isEqualTo(Duration.ofSeconds(90));
		assertThat(properties.teardownGrace()).isEqualTo(Duration.ofSeconds(3));
		assertThat(properties.defaultLimits().cpu()).isEqualTo(Duration.ofSeconds(4));
		assertThat(properties.defaultLimits().wallTime()).isEqualTo(Duration.ofSeconds(50));
		assertThat(properties.defaultLimits().toolTimeout()).isEqualTo(Duration.ofSeconds(6));
		assertThat(properties.profileLimits().get("batch").wallTime()).isEqualTo(Duration.ofSeconds(70));
	}

	@Test
	void profileInheritsWhatItDoesNotSet() {
		SandboxProperties properties = bind("limits.processes=7", "limits.wall-time=40s", "profiles.batch.wall-time=5m",
				"profiles.small.processes=1");
		assertThat(properties.profileLimits()).containsOnlyKeys("batch", "small");
		assertThat(properties.profileLimits().get("batch"))
			.isEqualTo(properties.defaultLimits().withWallTime(Duration.ofMinutes(5)));
		assertThat(properties.profileLimits().get("small")).isEqualTo(properties.defaultLimits().withProcesses(1));
	}

	@Test
	void inheritedToolTimeoutAndFileSizeYieldToWhatIsSet() {
		SandboxProperties properties = bind("limits.wall-time=5s", "profiles.tiny.workspace=1MB",
				"profiles.tiny.wall-time=2s");
		assertThat(properties.defaultLimits().toolTimeout()).isEqualTo(Duration.ofSeconds(5));
		assertThat(properties.profileLimits().get("tiny").toolTimeout()).isEqualTo(Duration.ofSeconds(2));
		assertThat(properties.profileLimits().get("tiny").fileSize()).isEqualTo(ByteSize.ofMebibytes(1));
	}

	@Test
	void specThatSetsNothingNarrowsNothing() {
		SandboxProperties properties = bind("specs.orders.network=false");
		assertThat(properties.publishedSpecs()).containsExactly(Spec.of("orders"));
		assertThat(bind().publishedSpecs()).isEmpty();
	}

	@Test
	void bindReadsEveryPartOfASpec() {
		SandboxProperties properties = bind("specs.orders-agent.profile=batch", "specs.orders-agent.limits.cpu=3",
				"specs.orders-agent.limits.calls.per-run=7", "specs.orders-agent.require.level=isolated",
				"specs.orders-agent.require.guarantees=cpu", "specs.orders-agent.require.network-denial=true",
				"specs.orders-agent.network=true", "specs.orders-agent.preserve=true",
				"specs.orders-agent.tools=get_order,list-orders", "specs.orders-agent.bindings=get_order");
		CallLimits widest = Limits.widest().calls();
		assertThat(properties.publishedSpecs()).containsExactly(Spec.of("orders-agent")
			.withProfile("batch")
			.withLimits(Limits.widest()
				.withCpu(Duration.ofSeconds(3))
				.withCalls(new CallLimits(7, 7, widest.arguments(), widest.result(), widest.total(), widest.kept())))
			.withRequire(new Requirement(Level.ISOLATED, Set.of(Guarantee.CPU, Guarantee.NETWORK)))
			.withNetwork(true)
			.withPreserve(true)
			.withTools(Grant.of("get_order", "list-orders"))
			.withBindings(Grant.of("get_order")));
	}

	@Test
	void digestOfASpecIsTheSameWhateverTheDeploymentAllows() {
		String[] spec = { "specs.orders.limits.wall-time=5s", "specs.orders.limits.workspace=1MB" };
		SandboxProperties small = bind("limits.wall-time=9s", "limits.calls.per-run=1000", spec[0], spec[1]);
		assertThat(small.publishedSpecs().get(0).digest()).isEqualTo(bind(spec).publishedSpecs().get(0).digest());
	}

	@Test
	void bindingsOfASpecAreItsToolsUnlessTheyAreSet() {
		assertThat(bind("specs.a.tools=x,y").publishedSpecs().get(0).bindings()).isEqualTo(Grant.of("x", "y"));
		assertThat(bind("specs.a.tools=x,y", "specs.a.bindings=").publishedSpecs().get(0).bindings())
			.isEqualTo(Grant.NONE);
		assertThat(bind("specs.a.tools=").publishedSpecs().get(0).tools()).isEqualTo(Grant.NONE);
	}

	@Test
	void inheritedLimitYieldsToTheOneItDependsOn() {
		SandboxProperties properties = bind("profiles.a.capture=1KB", "profiles.b.calls.per-run=9",
				"profiles.c.calls.total=1KB");
		assertThat(properties.profileLimits().get("a").stream()).isEqualTo(ByteSize.ofKibibytes(1));
		assertThat(properties.profileLimits().get("b").calls().perExecution()).isEqualTo(9);
		assertThat(properties.profileLimits().get("c").calls().arguments()).isEqualTo(ByteSize.ofKibibytes(1));
		assertThat(properties.profileLimits().get("c").calls().result()).isEqualTo(ByteSize.ofKibibytes(1));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			tools=get_order, bindings=get_order delete_order | bindings | do not grant delete_order
			tools=get_order run_code | tools | run_code is reserved
			bindings=run_code | bindings | run_code is reserved
			tools=orders_* | tools | names are exact
			bindings=* | bindings | names are exact
			limits.cpu=0s | limits.cpu | whole seconds
			limits.stream=0B | limits.stream | must be positive
			require.level=none | require.level | contained process""")
	void bindWhenSpecCanNotBePublishedFailsNamingSpecAndPart(String pairs, String part, String problem) {
		String[] properties = Stream.of(pairs.split(", "))
			.map((pair) -> "specs.orders." + pair.replace(' ', ','))
			.toArray(String[]::new);
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(properties))
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidPropertyException.class, (ex) -> {
				assertThat(ex.property()).isEqualTo("psych.sandbox.specs.orders." + part);
				assertThat(ex.problem()).contains(problem);
			});
	}

	@ParameterizedTest
	@CsvSource({ "*, , orders, true", "orders_*, , orders_list, true", "orders_*, , customers, false",
			"'orders,customers', , customers, true", "*, *_delete, orders_delete, false",
			"orders_*, orders_delete, orders_list, true", "'', , orders, false" })
	void toolsOffersWhatIsIncludedAndNotExcluded(String include, String exclude, String tool, boolean offered) {
		SandboxProperties properties = (exclude != null) ? bind("tools.include=" + include, "tools.exclude=" + exclude)
				: bind("tools.include=" + include);
		assertThat(properties.tools().offers(tool)).isEqualTo(offered);
	}

	@ParameterizedTest
	@CsvSource({ "limits.cpu=0s", "limits.cpu=500ms", "limits.wall-time=-1s", "limits.tool-timeout=31s",
			"limits.address-space=1MB", "limits.file-size=65MB", "limits.file-size=-1B", "limits.workspace=0B",
			"limits.processes=0", "limits.stream=0B", "limits.value=16MB", "limits.program=16MB",
			"profiles.batch.cpu=0s", "profiles.batch.tool-timeout=31s", "require.level=none", "tools.include[0]=" })
	void bindWhenValueCanNotWorkFailsNamingProperty(String pair) {
		String property = "psych.sandbox." + pair.substring(0, pair.indexOf('=')).replace("[0]", "");
		assertThatExceptionOfType(BindException.class).isThrownBy(() -> bind(pair))
			.havingRootCause()
			.isInstanceOfSatisfying(InvalidPropertyException.class,
					(ex) -> assertThat(ex.property()).isEqualTo(property));
	}

	private static SandboxProperties bind(String... pairs) {
		Map<String, String> source = new LinkedHashMap<>();
		for (String pair : pairs) {
			source.put("psych.sandbox." + pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
		}
		return new Binder(new MapConfigurationPropertySource(source)).bindOrCreate("psych.sandbox",
				Bindable.of(SandboxProperties.class));
	}

}
