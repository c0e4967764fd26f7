package io.psych.sandbox.spring.autoconfigure;

import io.psych.sandbox.runlog.RunLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says in the log, when the application starts, where runs are recorded.
 */
final class RunLogNotice implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RunLogNotice.class);

	private final RunLog log;

	RunLogNotice(RunLog log) {
		this.log = log;
	}

	@Override
	public void afterSingletonsInstantiated() {
		logger.info("Runs are recorded {}", this.log.description());
	}

}
