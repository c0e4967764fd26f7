/**
 * What happened in a run, as events that are only ever added. What a run has spent and
 * what became of its calls is folded from them, so that a host that dies takes no
 * allowance with it and gives none back.
 */
@NullMarked
package io.psych.sandbox.runlog;

import org.jspecify.annotations.NullMarked;
