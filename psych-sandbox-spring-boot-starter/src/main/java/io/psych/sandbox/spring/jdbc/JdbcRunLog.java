package io.psych.sandbox.spring.jdbc;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.runlog.RunEvent;
import io.psych.sandbox.runlog.RunEventJson;
import io.psych.sandbox.runlog.RunKey;
import io.psych.sandbox.runlog.RunLog;
import io.psych.sandbox.runlog.RunLogException;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A log in a relational database, PostgreSQL or H2, which many hosts may share. Each
 * event is committed by itself, on a connection of its own, whatever transaction the
 * caller is in: what happened has happened, also when the caller rolls back.
 * <p>
 * The row of a run holds its last number and what it has accepted. Taking the next number
 * locks that row until the event is committed, so that the numbers of a run have no gap
 * and no reader sees a later one before an earlier one. Times are those of each host's
 * own clock.
 *
 * @since 0.1.0
 */
public final class JdbcRunLog implements RunLog {

	/** An attempt that lost against others has changed nothing. */
	private static final int ATTEMPTS = 10;

	private static final int TIMEOUT_SECONDS = 30;

	/** What a database can look for; no other handle is ever recorded. */
	private static final Pattern HANDLE = Pattern.compile("[!-~]{1,100}");

	private static final String OF_RUN = " WHERE tenant = :tenant AND run = :run";

	private static final String ADD_RUN = """
			INSERT INTO psych_sandbox_run (tenant, run, last_number, accepted) VALUES (:tenant, :run, 0, 0)""";

	private static final String FIND_RUN = "SELECT count(*) FROM psych_sandbox_run" + OF_RUN;

	private static final String NEXT_NUMBER = """
			UPDATE psych_sandbox_run SET last_number = last_number + 1, accepted = accepted + :counted""" + OF_RUN
			+ " AND accepted < :most";

	private static final String ADD_EVENT = """
			INSERT INTO psych_sandbox_run_event (tenant, run, event_number, recorded_at, attachment_handle, event)
			VALUES (:tenant, :run, :number, :at, :handle, :event)""";

	private static final String READ_EVENTS = "SELECT event_number, recorded_at, event FROM psych_sandbox_run_event"
			+ OF_RUN + " AND event_number > :after ORDER BY event_number FETCH FIRST :most ROWS ONLY";

	private static final String FIND_ATTACHMENT = "SELECT event FROM psych_sandbox_run_event" + OF_RUN
			+ " AND attachment_handle = :handle ORDER BY event_number FETCH FIRST 1 ROWS ONLY";

	private static final String CHECK_TABLES = """
			SELECT r.last_number, r.accepted, e.event_number, e.recorded_at, e.attachment_handle, e.event
			FROM psych_sandbox_run r JOIN psych_sandbox_run_event e ON e.tenant = r.tenant AND e.run = r.run
			WHERE 1 = 0""";

	private final Clock clock;

	private final DataSource dataSource;

	private final JdbcClient jdbc;

	private final TransactionTemplate transactions;

	private @Nullable String product;

	/**
	 * Create a log.
	 * @param dataSource where its tables are; one whose connections can't be committed by
	 * themselves, as those of a JTA transaction, does not work
	 */
	public JdbcRunLog(DataSource dataSource) {
		this(dataSource, Clock.systemUTC());
	}

	/**
	 * Create a log.
	 * @param dataSource where its tables are
	 * @param clock tells when an event is recorded
	 */
	public JdbcRunLog(DataSource dataSource, Clock clock) {
		this.clock = clock;
		// Transactions are bound to a thread by their DataSource. This one is nobody
		// else's: a transaction manager of the application, whichever it is, has bound
		// nothing to it.
		this.dataSource = new DelegatingDataSource(withoutTransactions(dataSource));
		this.jdbc = JdbcClient.create(this.dataSource);
		this.transactions = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		this.transactions.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		// A stricter level fails where this one waits for the row.
		this.transactions.setIsolationLevel(TransactionDefinition.ISOLATION_READ_COMMITTED);
		this.transactions.setTimeout(TIMEOUT_SECONDS);
	}

	private static DataSource withoutTransactions(DataSource dataSource) {
		DataSource target = (dataSource instanceof TransactionAwareDataSourceProxy proxy) ? proxy.getTargetDataSource()
				: null;
		return (target != null) ? target : dataSource;
	}

	@Override
	public long append(RunKey run, RunEvent event) {
		return add(run, event, Integer.MAX_VALUE)
			.orElseThrow(() -> new IllegalStateException("a run has accepted all calls that can be counted"));
	}

	@Override
	public OptionalLong accept(RunKey run, RunEvent.CallAccepted call, int most) {
		return (most > 0) ? add(run, call, most) : OptionalLong.empty();
	}

	private OptionalLong add(RunKey run, RunEvent event, int most) {
		String handle = handle(event);
		String json = RunEventJson.write(event).toJson();
		boolean isCounted = event instanceof RunEvent.CallAccepted call && call.origin() == CallOrigin.PROGRAM;
		return access("An event can't be recorded", () -> {
			Instant at = this.clock.instant().truncatedTo(ChronoUnit.MICROS);
			boolean isKnown = false;
			for (int attempt = 1;; attempt++) {
				try {
					OptionalLong number = attempt(run, isCounted ? 1 : 0, most, at, handle, json);
					// Only an attempt on a run that was there before tells of its
					// allowance.
					if (number.isPresent() || isKnown) {
						return number;
					}
					begin(run);
					isKnown = true;
				}
				catch (ConcurrencyFailureException ex) {
					if (attempt == ATTEMPTS) {
						throw ex;
					}
				}
			}
		});
	}

	private static @Nullable String handle(RunEvent event) {
		if (!(event instanceof RunEvent.AttachmentKept kept)) {
			return null;
		}
		String handle = kept.attachment().handle();
		if (!HANDLE.matcher(handle).matches()) {
			throw new IllegalArgumentException("handle must be 1 to 100 visible ASCII characters");
		}
		return handle;
	}

	/** Count and add in one transaction; nothing when that is not allowed. */
	private OptionalLong attempt(RunKey run, int counted, int most, Instant at, @Nullable String handle, String json) {
		OptionalLong number = this.transactions.execute((status) -> {
			KeyHolder keys = new GeneratedKeyHolder();
			of(run, NEXT_NUMBER).param("counted", counted).param("most", most).update(keys, "last_number");
			Number next = keys.getKey();
			if (next == null) {
				return OptionalLong.empty();
			}
			of(run, ADD_EVENT).param("number", next)
				.param("at", OffsetDateTime.ofInstant(at, ZoneOffset.UTC))
				.param("handle", handle)
				.param("event", json)
				.update();
			return OptionalLong.of(next.longValue());
		});
		return (number != null) ? number : OptionalLong.empty();
	}

	private void begin(RunKey run) {
		if (of(run, FIND_RUN).query(Long.class).single() > 0) {
			return;
		}
		try {
			this.transactions.executeWithoutResult((status) -> of(run, ADD_RUN).update());
		}
		catch (DuplicateKeyException ex) {
			// Another thread or host was first, and that is as good.
		}
	}

	@Override
	public List<Entry> read(RunKey run, long after, int most) {
		return access("Events can't be read",
				() -> of(run, READ_EVENTS).param("after", after).param("most", most).query(JdbcRunLog::entry).list());
	}

	private static Entry entry(ResultSet row, int number) throws SQLException {
		return new Entry(row.getLong(1), row.getObject(2, OffsetDateTime.class).toInstant(), event(row.getString(3)));
	}

	private static RunEvent event(String json) {
		return RunEventJson.read(JsonValue.parse(json));
	}

	@Override
	public RunEvent.@Nullable AttachmentKept attachment(RunKey run, String handle) {
		if (!HANDLE.matcher(handle).matches()) {
			return null;
		}
		return access("An attachment can't be looked up",
				() -> of(run, FIND_ATTACHMENT).param("handle", handle)
					.query((row, number) -> (RunEvent.AttachmentKept) event(row.getString(1)))
					.optional())
			.orElse(null);
	}

	private JdbcClient.StatementSpec of(RunKey run, String sql) {
		return this.jdbc.sql(sql).param("tenant", run.tenant()).param("run", run.run());
	}

	/**
	 * Check that the tables are there.
	 * @throws RunLogException if they can't be read; its cause tells why
	 */
	public void checkTables() {
		access("The tables can't be read", () -> this.jdbc.sql(CHECK_TABLES).query().listOfRows());
	}

	@Override
	public synchronized String description() {
		if (this.product == null) {
			try {
				this.product = JdbcUtils.extractDatabaseMetaData(this.dataSource,
						DatabaseMetaData::getDatabaseProductName);
			}
			catch (MetaDataAccessException ex) {
				return "in a database, which can't be reached now";
			}
		}
		return "in the database " + this.product;
	}

	/**
	 * Use the database while no interrupt is pending. The end of a call that was cut off
	 * is recorded by the thread that was interrupted, and pools, drivers and files give
	 * up on such a thread.
	 */
	private static <T> T access(String problem, Supplier<T> use) {
		boolean isInterrupted = Thread.interrupted();
		try {
			return use.get();
		}
		catch (DataAccessException | TransactionException | JsonFormatException | IllegalArgumentException ex) {
			// Without the message, which may tell a tenant's name or a password.
			throw new RunLogException(problem + " (" + ex.getClass().getSimpleName() + ")", ex);
		}
		finally {
			if (isInterrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

}
