/**
 * Where tools may connect to: the one place that decides a destination, for every tool
 * that reaches another host.
 */
@NullMarked
package io.psych.sandbox.egress;

import org.jspecify.annotations.NullMarked;
