package io.psych.sandbox.spring.jdbc;

import java.nio.file.Path;

import org.junit.jupiter.api.io.TempDir;

/**
 * Tests for {@link JdbcRunLog} on H2 with a file, as the sample has it.
 */
class H2RunLogTests extends AbstractJdbcRunLogTests {

	@TempDir
	Path folder;

	@Override
	String url() {
		return "jdbc:h2:file:" + this.folder.resolve("runs").toAbsolutePath();
	}

	@Override
	String platform() {
		return "h2";
	}

}
