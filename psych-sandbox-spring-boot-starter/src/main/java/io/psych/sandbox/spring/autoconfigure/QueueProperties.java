package io.psych.sandbox.spring.autoconfigure;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/**
 * Executions that wait until others have ended.
 *
 * @param size Number of executions of one tenant that may wait. With 0 one that can't
 * begin at once is refused.
 * @param patience Time an execution may wait. If a duration suffix is not specified,
 * seconds will be used.
 * @since 0.1.0
 */
public record QueueProperties(@DefaultValue("256") int size,
		@DefaultValue("30s") @DurationUnit(ChronoUnit.SECONDS) Duration patience) {

}
