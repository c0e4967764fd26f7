package io.psych.sandbox.spring;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * How long tests wait for what comes by itself: longer than it takes on a host that is
 * busy with something else.
 */
public final class Patience {

	private static final Duration MOST = Duration.ofSeconds(60);

	private Patience() {
	}

	/**
	 * Begin to wait for a condition.
	 * @return what is told the condition
	 */
	public static ConditionFactory await() {
		return Awaitility.await().atMost(MOST);
	}

}
