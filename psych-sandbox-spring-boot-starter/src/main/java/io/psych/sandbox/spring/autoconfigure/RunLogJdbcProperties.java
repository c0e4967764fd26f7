package io.psych.sandbox.spring.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.jdbc.init.DatabaseInitializationProperties;

/**
 * Configuration properties of the log of runs in a database: how its tables are made.
 *
 * @since 0.1.0
 */
@ConfigurationProperties(RunLogJdbcProperties.PREFIX)
public final class RunLogJdbcProperties extends DatabaseInitializationProperties {

	static final String PREFIX = SandboxProperties.PREFIX + ".run-log.jdbc";

	private static final String SCHEMA = "classpath:io/psych/sandbox/spring/jdbc/schema-@@platform@@.sql";

	@Override
	public String getDefaultSchemaLocation() {
		return SCHEMA;
	}

}
