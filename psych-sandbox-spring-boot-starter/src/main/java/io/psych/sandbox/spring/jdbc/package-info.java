/**
 * The log of runs in a relational database, for hosts that share one.
 */
@NullMarked
package io.psych.sandbox.spring.jdbc;

import org.jspecify.annotations.NullMarked;
