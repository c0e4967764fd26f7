/**
 * One program from request to result: {@link io.psych.sandbox.run.Execution} lists the
 * stations in their order. Takes a request whose terms are settled, hands on a
 * {@link io.psych.sandbox.contract.RunResult}. Together with the pool the only package
 * that knows both wire and backends; it has no path to a tool but the callback it is
 * given.
 */
@NullMarked
package io.psych.sandbox.run;

import org.jspecify.annotations.NullMarked;
