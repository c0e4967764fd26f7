package io.psych.sandbox.spring.autoconfigure;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.init.PropertiesBasedDataSourceScriptDatabaseInitializer;

/**
 * Makes the tables of the log of runs.
 */
final class RunLogDatabaseInitializer extends PropertiesBasedDataSourceScriptDatabaseInitializer<RunLogJdbcProperties> {

	RunLogDatabaseInitializer(DataSource dataSource, RunLogJdbcProperties properties) {
		super(dataSource, properties);
	}

}
