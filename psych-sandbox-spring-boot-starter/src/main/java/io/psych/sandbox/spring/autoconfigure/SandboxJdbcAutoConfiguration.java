package io.psych.sandbox.spring.autoconfigure;

import java.util.Locale;

import javax.sql.DataSource;

import io.psych.sandbox.runlog.InMemoryRunLog;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import io.psych.sandbox.spring.jdbc.JdbcRunLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.autoconfigure.init.OnDatabaseInitializationCondition;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * {@link AutoConfiguration Auto-configuration} for the log of runs in the database of the
 * application.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = SandboxAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnBooleanProperty(name = "psych.sandbox.enabled", matchIfMissing = true)
@ConditionalOnClass({ JdbcClient.class, DataSourceScriptDatabaseInitializer.class })
@ConditionalOnSingleCandidate(DataSource.class)
@ConditionalOnMissingBean(RunLog.class)
@Conditional(SandboxJdbcAutoConfiguration.NotInMemory.class)
@EnableConfigurationProperties(RunLogJdbcProperties.class)
@Import(DatabaseInitializationDependencyConfigurer.class)
public final class SandboxJdbcAutoConfiguration {

	private static final Logger logger = LoggerFactory.getLogger(SandboxJdbcAutoConfiguration.class);

	private static final String TYPE = "psych.sandbox.run-log.type";

	private static final String REMEDY = "Set " + RunLogJdbcProperties.PREFIX + ".initialize-schema to always, or make"
			+ " them with the script schema-postgresql.sql or schema-h2.sql that is in the jar of the starter, or set "
			+ TYPE + " to memory.";

	@Bean
	@ConditionalOnMissingBean
	@Conditional(OnRunLogInitialization.class)
	RunLogDatabaseInitializer psychSandboxRunLogDatabaseInitializer(DataSource dataSource,
			RunLogJdbcProperties properties) {
		return new RunLogDatabaseInitializer(dataSource, properties);
	}

	@Bean
	@DependsOnDatabaseInitialization
	RunLog psychSandboxJdbcRunLog(DataSource dataSource, RunLogJdbcProperties properties, Environment environment) {
		JdbcRunLog log = new JdbcRunLog(dataSource);
		try {
			log.checkTables();
		}
		catch (RunLogException ex) {
			if (ex.getCause() instanceof BadSqlGrammarException) {
				if (!"jdbc".equalsIgnoreCase(environment.getProperty(TYPE))) {
					// An application that has a database did not ask for tables in it.
					logger
						.warn("Runs are recorded in memory, since the database of the application has no tables for them:"
								+ " what a run has spent is forgotten with this JVM and not shared with other hosts. {}",
								REMEDY);
					return new InMemoryRunLog();
				}
				throw new InvalidPropertyException(RunLogJdbcProperties.PREFIX + ".initialize-schema",
						properties.getInitializeSchema().name().toLowerCase(Locale.ROOT),
						"and the database of the application has no tables for the log of runs", REMEDY);
			}
			logger.warn("No program is executed until the log of runs can be reached: {}", ex.getMessage());
		}
		return log;
	}

	static final class OnRunLogInitialization extends OnDatabaseInitializationCondition {

		OnRunLogInitialization() {
			super("Run log", RunLogJdbcProperties.PREFIX + ".initialize-schema");
		}

	}

	static final class NotInMemory extends NoneNestedConditions {

		NotInMemory() {
			super(ConfigurationPhase.PARSE_CONFIGURATION);
		}

		@ConditionalOnProperty(name = TYPE, havingValue = "memory")
		static final class InMemory {

		}

	}

}
