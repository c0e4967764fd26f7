/**
 * What is too large for the log of a run: stored once under an address that folds in
 * whose it is, read in parts, removed by age and by size.
 */
@NullMarked
package io.psych.sandbox.blob;

import org.jspecify.annotations.NullMarked;
