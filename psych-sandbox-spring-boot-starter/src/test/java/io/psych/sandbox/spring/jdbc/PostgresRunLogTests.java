package io.psych.sandbox.spring.jdbc;

import java.io.IOException;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * Tests for {@link JdbcRunLog} on a real PostgreSQL.
 */
@Tag("once")
class PostgresRunLogTests extends AbstractJdbcRunLogTests {

	private static PostgresServer server;

	@BeforeAll
	static void startServer() throws IOException {
		server = PostgresServer.start();
	}

	@AfterAll
	static void stopServer() throws IOException {
		server.close();
	}

	@Override
	String url() {
		return server.url();
	}

	@Override
	String platform() {
		return "postgresql";
	}

}
