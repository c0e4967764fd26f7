package io.psych.sandbox.catalogue;

import java.util.ArrayList;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/**
 * Everything the library logs, at every level, to be looked at for what a program put in.
 */
final class LogWatch implements AutoCloseable {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.psych.sandbox");

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	LogWatch() {
		this.appender.start();
		this.logger.setAdditive(false);
		this.logger.setLevel(Level.TRACE);
		this.logger.addAppender(this.appender);
	}

	void clear() {
		this.appender.list.clear();
	}

	/**
	 * Return the messages that could pass for other lines of a log, or command a
	 * terminal.
	 * @return one sentence each
	 */
	List<String> problems() {
		List<String> problems = new ArrayList<>();
		for (ILoggingEvent event : List.copyOf(this.appender.list)) {
			String text = event.getFormattedMessage();
			for (IThrowableProxy cause = event.getThrowableProxy(); cause != null; cause = cause.getCause()) {
				text += " " + cause.getMessage();
			}
			if (text.codePoints().anyMatch(Character::isISOControl)) {
				problems.add("a line of the log holds control characters: "
						+ text.replaceAll("\\p{Cntrl}", "?").substring(0, Math.min(200, text.length())));
			}
		}
		return problems;
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

}
