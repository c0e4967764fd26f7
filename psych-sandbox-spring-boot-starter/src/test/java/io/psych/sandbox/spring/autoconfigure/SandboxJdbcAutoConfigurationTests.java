package io.psych.sandbox.spring.autoconfigure;

import java.util.UUID;

import javax.sql.DataSource;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunRecord;
import io.psych.sandbox.spring.jdbc.JdbcRunLog;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SandboxJdbcAutoConfiguration} with H2.
 */
@ExtendWith(OutputCaptureExtension.class)
class SandboxJdbcAutoConfigurationTests {

	private static final String TABLES = """
			SELECT count(*) FROM information_schema.tables WHERE table_name LIKE 'PSYCH_SANDBOX_RUN%'""";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(SandboxJdbcAutoConfiguration.class, SandboxAutoConfiguration.class,
				SandboxHealthAutoConfiguration.class, DataSourceAutoConfiguration.class))
		.withPropertyValues(TestHost.PROPERTIES)
		.withPropertyValues("psych.sandbox.backend=process");

	private final ApplicationContextRunner withDatabase = this.runner
		.withPropertyValues("spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());

	/** H2 is embedded in Spring's eyes only where it is in memory. */
	private final ApplicationContextRunner withServer = this.runner.withBean(DataSource.class, () -> {
		JdbcDataSource dataSource = new JdbcDataSource();
		dataSource.setUrl("jdbc:h2:nioMemFS:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		return dataSource;
	});

	@Test
	void runWithDatabaseRecordsThereAndSaysSo(CapturedOutput output) {
		this.withDatabase.run((context) -> {
			assertThat(context).hasSingleBean(RunLog.class).hasSingleBean(JdbcRunLog.class);
			assertThat(output).contains("Runs are recorded in the database H2");
			assertThat(context.getBean("psychSandboxHealthIndicator", HealthIndicator.class).health().getDetails())
				.containsEntry("runLog", "in the database H2");
			RunKey run = RunKey.of(new Scope("acme", "r1", null), "");
			context.getBean(Sandbox.class)
				.run(RunRequest.of("await list_tools()").withScope(new Scope("acme", "r1", null)));
			RunRecord folded = RunRecord.of(context.getBean(RunLog.class), run);
			assertThat(folded.acceptedCalls()).isEqualTo(1);
			assertThat(JdbcClient.create(context.getBean(DataSource.class))
				.sql("SELECT count(*) FROM psych_sandbox_run_event")
				.query(Long.class)
				.single()).isEqualTo(folded.lastNumber());
		});
	}

	@Test
	void runWithoutDatabaseRecordsInMemoryAndSaysSo(CapturedOutput output) {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxJdbcAutoConfiguration.class, SandboxAutoConfiguration.class))
			.withPropertyValues(TestHost.PROPERTIES)
			.withPropertyValues("psych.sandbox.backend=process")
			.run((context) -> {
				assertThat(context).hasSingleBean(RunLog.class).hasSingleBean(InMemoryRunLog.class);
				assertThat(output).contains("Runs are recorded in memory, they end with this JVM");
			});
	}

	@Test
	void runWhenTypeIsMemoryLeavesTheDatabaseAlone() {
		this.withDatabase.withPropertyValues("psych.sandbox.run-log.type=memory").run((context) -> {
			assertThat(context).hasSingleBean(RunLog.class).hasSingleBean(InMemoryRunLog.class);
			assertThat(JdbcClient.create(context.getBean(DataSource.class)).sql(TABLES).query(Long.class).single())
				.isZero();
		});
	}

	@Test
	void runWhenTypeIsJdbcWithoutDatabaseFailsAndSaysWhatToDo() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(SandboxJdbcAutoConfiguration.class, SandboxAutoConfiguration.class))
			.withPropertyValues(TestHost.PROPERTIES)
			.withPropertyValues("psych.sandbox.run-log.type=jdbc")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidPropertyException.class)
				.hasMessageStartingWith("psych.sandbox.run-log.type is jdbc, but the application has no single"));
	}

	@Test
	void runWithTwoDatabasesTakesNeither() {
		this.withServer.withBean("other", DataSource.class, JdbcDataSource::new)
			.run((context) -> assertThat(context).hasSingleBean(InMemoryRunLog.class));
	}

	@Test
	void runWhenApplicationHasALogBacksOffAndMakesNoTables() {
		RunLog own = new InMemoryRunLog();
		this.withDatabase.withBean(RunLog.class, () -> own).run((context) -> {
			assertThat(context.getBean(RunLog.class)).isSameAs(own);
			assertThat(JdbcClient.create(context.getBean(DataSource.class)).sql(TABLES).query(Long.class).single())
				.isZero();
		});
	}

	@Test
	void runWhenDatabaseHasNoTablesAndNobodyAskedForThemRecordsInMemoryAndSaysSo(CapturedOutput output) {
		this.withServer.run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(InMemoryRunLog.class);
			assertThat(output)
				.contains("Runs are recorded in memory, since the database of the application has no tables")
				.contains("schema-postgresql.sql");
		});
	}

	@Test
	void runWhenDatabaseIsAskedForAndHasNoTablesFailsAndSaysWhatToDo() {
		this.withServer.withPropertyValues("psych.sandbox.run-log.type=jdbc")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOf(InvalidPropertyException.class)
				.hasMessageStartingWith("psych.sandbox.run-log.jdbc.initialize-schema is embedded, and the database")
				.hasMessageContaining("schema-postgresql.sql")
				.hasMessageContaining("psych.sandbox.run-log.type to memory"));
	}

	@Test
	void runWhenTablesAreToBeMadeAlwaysMakesThem() {
		this.withServer.withPropertyValues("psych.sandbox.run-log.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(JdbcRunLog.class));
	}

	@Test
	void runWhenTablesAreNeverMadeHasNoInitializer() {
		this.withDatabase
			.withPropertyValues("psych.sandbox.run-log.type=jdbc", "psych.sandbox.run-log.jdbc.initialize-schema=never")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageStartingWith("psych.sandbox.run-log.jdbc.initialize-schema is never"));
	}

	@Test
	void runTakesSchemaAndPlatformOfTheApplication() {
		this.withServer
			.withPropertyValues("psych.sandbox.run-log.jdbc.initialize-schema=always",
					"psych.sandbox.run-log.jdbc.platform=h2",
					"psych.sandbox.run-log.jdbc.schema=classpath:io/psych/sandbox/spring/jdbc/schema-@@platform@@.sql")
			.run((context) -> assertThat(context).hasSingleBean(JdbcRunLog.class));
		this.withServer
			.withPropertyValues("psych.sandbox.run-log.jdbc.initialize-schema=always",
					"psych.sandbox.run-log.jdbc.platform=none")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("schema-none.sql"));
	}

	@Test
	void runWhenDatabaseCantBeReachedStartsAndRefusesPrograms(CapturedOutput output) {
		this.runner.withBean(DataSource.class, () -> {
			JdbcDataSource dataSource = new JdbcDataSource();
			dataSource.setUrl("jdbc:h2:tcp://127.0.0.1:1/nowhere");
			return dataSource;
		}).withPropertyValues("psych.sandbox.run-log.jdbc.initialize-schema=never").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains("No program is executed until the log of runs can be reached");
			assertThat(context.getBean(Sandbox.class).run(RunRequest.of("1")).failure()).isNotNull();
		});
	}

	@Test
	void runWithoutSpringJdbcRecordsInMemory() {
		for (String missing : new String[] { "org.springframework.jdbc", "org.springframework.boot.jdbc" }) {
			new ApplicationContextRunner().withUserConfiguration(ImportingConfiguration.class)
				.withPropertyValues(TestHost.PROPERTIES)
				.withPropertyValues("psych.sandbox.backend=process")
				.withClassLoader(new FilteredClassLoader(missing))
				.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(InMemoryRunLog.class));
		}
	}

	@Test
	void runWhenSandboxIsDisabledHasNoLog() {
		this.withDatabase.withPropertyValues("psych.sandbox.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(RunLog.class));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SandboxJdbcAutoConfiguration.class, SandboxAutoConfiguration.class })
	static class ImportingConfiguration {

	}

}
