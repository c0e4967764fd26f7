/**
 * psych-sandbox on the command line: {@code run} executes one program, {@code doctor}
 * tells what this host can offer.
 */
@NullMarked
package io.psych.sandbox.cli;

import org.jspecify.annotations.NullMarked;
