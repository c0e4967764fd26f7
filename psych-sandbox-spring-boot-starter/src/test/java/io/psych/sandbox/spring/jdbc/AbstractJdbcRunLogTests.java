package io.psych.sandbox.spring.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.runlog.AbstractRunLogTests;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import io.psych.sandbox.runlog.RunRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * What the log of runs in a database keeps to beside the suite of all logs.
 */
abstract class AbstractJdbcRunLogTests extends AbstractRunLogTests {

	private static final RunKey RUN = new RunKey("acme", "run:1");

	private HikariDataSource pool;

	/** Return where the database is reached. */
	abstract String url();

	/** Return the platform its script is named after. */
	abstract String platform();

	@BeforeEach
	void makeTables() {
		this.pool = pool();
		// Twice, as each host does when it starts.
		for (int i = 0; i < 2; i++) {
			new ResourceDatabasePopulator(new ClassPathResource("schema-" + platform() + ".sql", JdbcRunLog.class))
				.execute(this.pool);
		}
		JdbcClient.create(this.pool).sql("DELETE FROM psych_sandbox_run").update();
	}

	@AfterEach
	void closePool() {
		this.pool.close();
	}

	@Override
	protected RunLog log() {
		return new JdbcRunLog(this.pool);
	}

	@Override
	protected RunLog onAnotherHost(RunLog log) {
		return new JdbcRunLog(this.pool);
	}

	HikariDataSource pool() {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url());
		pool.setMaximumPoolSize(8);
		return pool;
	}

	@Test
	void whatHappenedStaysWhenTheCallerRollsBack() {
		DataSource proxied = new TransactionAwareDataSourceProxy(this.pool);
		RunLog plain = new JdbcRunLog(this.pool);
		RunLog overProxy = new JdbcRunLog(proxied);
		JdbcClient callers = JdbcClient.create(this.pool);
		callers.sql("CREATE TABLE IF NOT EXISTS callers_own (id INTEGER)").update();
		TransactionTemplate caller = new TransactionTemplate(new DataSourceTransactionManager(this.pool));
		caller.executeWithoutResult((status) -> {
			callers.sql("INSERT INTO callers_own VALUES (1)").update();
			plain.append(RUN, accepted("a", CallOrigin.PROGRAM));
			overProxy.append(RUN, accepted("b", CallOrigin.PROGRAM));
			assertThat(plain.read(RUN, 0, 10)).hasSize(2);
			// Neither did the log commit what the caller has done so far.
			status.setRollbackOnly();
		});
		assertThat(plain.read(RUN, 0, 10)).hasSize(2);
		assertThat(callers.sql("SELECT count(*) FROM callers_own").query(Long.class).single()).isZero();
	}

	@Test
	void connectionsThatDoNotCommitByThemselvesAreAsGood() {
		try (HikariDataSource manual = pool()) {
			manual.setAutoCommit(false);
			RunLog log = new JdbcRunLog(manual);
			assertThat(log.append(RUN, accepted("a", CallOrigin.PROGRAM))).isEqualTo(1);
			assertThat(log.read(RUN, 0, 10)).hasSize(1);
		}
		assertThat(log().read(RUN, 0, 10)).hasSize(1);
	}

	@Test
	void connectionsThatAreSerializableByDefaultAreAsGood() throws Exception {
		this.pool.close();
		this.pool = pool();
		this.pool.setTransactionIsolation("TRANSACTION_SERIALIZABLE");
		addAtTheSameTime();
	}

	@Test
	void threadThatWasInterruptedStillRecordsTheEndOfItsCall() {
		RunLog log = log();
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		Thread.currentThread().interrupt();
		log.append(RUN, new RunEvent.CallEnded("a", CallState.UNKNOWN, null, Duration.ZERO, 0));
		assertThat(Thread.interrupted()).as("still interrupted").isTrue();
		assertThat(log.read(RUN, 0, 10)).hasSize(2);
	}

	@Test
	void interruptInTheMiddleOfWritingLosesNothingThatWasAcknowledged() throws Exception {
		RunLog log = log();
		List<Long> acknowledged = new ArrayList<>();
		AtomicBoolean done = new AtomicBoolean();
		Thread writer = new Thread(() -> {
			for (int i = 0; i < 200; i++) {
				try {
					acknowledged.add(log.append(RUN, accepted("call-" + i, CallOrigin.MODEL)));
				}
				catch (RunLogException ex) {
					// Told to the caller, who does not make that call.
					Thread.interrupted();
				}
			}
			done.set(true);
		});
		writer.start();
		while (!done.get()) {
			writer.interrupt();
			LockSupport.parkNanos(300_000);
		}
		writer.join();
		List<Long> read = log.read(RUN, 0, 1_000).stream().map(RunLog.Entry::number).toList();
		assertThat(read).containsAll(acknowledged);
		assertThat(log.append(RUN, accepted("afterwards", CallOrigin.MODEL))).isEqualTo(read.size() + 1);
	}

	@Test
	void numberIsNotGivenAwayWhenTheEventCouldNotBeAdded() {
		RunLog log = log();
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		JdbcClient.create(this.pool).sql("ALTER TABLE psych_sandbox_run_event RENAME TO set_aside").update();
		try {
			assertThatExceptionOfType(RunLogException.class)
				.isThrownBy(() -> log.accept(RUN, accepted("lost", CallOrigin.PROGRAM), 2))
				.withMessage("An event can't be recorded (BadSqlGrammarException)");
		}
		finally {
			JdbcClient.create(this.pool).sql("ALTER TABLE set_aside RENAME TO psych_sandbox_run_event").update();
		}
		assertThat(log.accept(RUN, accepted("b", CallOrigin.PROGRAM), 2)).hasValue(2);
		assertThat(RunRecord.of(log, RUN).complete()).isTrue();
	}

	@Test
	void runOfWhichEventsWereDeletedSaysSo() {
		RunLog log = log();
		for (int i = 0; i < 3; i++) {
			log.append(RUN, accepted("call-" + i, CallOrigin.PROGRAM));
		}
		JdbcClient.create(this.pool).sql("DELETE FROM psych_sandbox_run_event WHERE event_number = 1").update();
		assertThat(RunRecord.of(log, RUN).complete()).isFalse();
	}

	@Test
	void eventOfANewerVersionIsToldAsThat() {
		RunLog log = log();
		log.append(RUN, accepted("a", CallOrigin.PROGRAM));
		JdbcClient.create(this.pool).sql("UPDATE psych_sandbox_run_event SET event = '{\"type\":\"newer\"}'").update();
		assertThatExceptionOfType(RunLogException.class).isThrownBy(() -> log.read(RUN, 0, 10))
			.withRootCauseInstanceOf(IllegalArgumentException.class);
	}

	@Test
	void handleThatCouldNotBeLookedForIsNotRecorded() {
		RunLog log = log();
		for (String handle : List.of("", "a b", "a\0", "x".repeat(101))) {
			assertThatIllegalArgumentException().isThrownBy(() -> log.append(RUN, attachment(handle)))
				.withMessageStartingWith("handle must be");
		}
		log.append(RUN, attachment("x".repeat(100)));
		assertThat(log.attachment(RUN, "x".repeat(100))).isNotNull();
	}

	@Test
	void databaseThatIsGoneIsAFailureOfTheLogThatTellsNoSecret() throws SQLException {
		try (HikariDataSource gone = pool()) {
			RunLog log = new JdbcRunLog(gone);
			try (Connection connection = gone.getConnection()) {
				assertThat(connection.isValid(5)).isTrue();
			}
			gone.close();
			assertThatExceptionOfType(RunLogException.class)
				.isThrownBy(() -> log.append(RUN, accepted("a", CallOrigin.PROGRAM)))
				.withMessage("An event can't be recorded (CannotCreateTransactionException)");
			assertThatExceptionOfType(RunLogException.class).isThrownBy(() -> log.read(RUN, 0, 1));
			assertThatExceptionOfType(RunLogException.class).isThrownBy(() -> log.attachment(RUN, "a"));
			assertThat(log.description()).isEqualTo("in a database, which can't be reached now");
		}
	}

	@Test
	void checkTellsWhetherTheTablesAreThere() {
		JdbcRunLog log = new JdbcRunLog(this.pool);
		log.checkTables();
		JdbcClient.create(this.pool).sql("DROP TABLE psych_sandbox_run_event").update();
		assertThatExceptionOfType(RunLogException.class).isThrownBy(log::checkTables);
	}

	private static RunEvent.AttachmentKept attachment(String handle) {
		return new RunEvent.AttachmentKept("execution-1", new Attachment("stdout", handle, "text/plain", 1, true),
				null);
	}

}
