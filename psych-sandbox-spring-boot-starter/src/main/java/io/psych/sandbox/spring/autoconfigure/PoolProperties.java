package io.psych.sandbox.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Processes that are started ahead and wait for a program, each for one.
 *
 * @param size Number of processes that wait, for each size of workspace among the limits
 * and profiles. With 0 every program waits for a process to start.
 * @param maxAge Time after which a process that waits is replaced. If a duration suffix
 * is not specified, seconds will be used.
 * @since 0.1.0
 */
public record PoolProperties(@DefaultValue("2") int size,
		@DefaultValue("10m") @DurationUnit(ChronoUnit.SECONDS) Duration maxAge) {

}
