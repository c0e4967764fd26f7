/**
 * Starting, watching and ending processes; the only place that does. Takes a command,
 * hands on a process and the tree below it. Knows nothing else of the product, and throws
 * facts.
 */
@NullMarked
package io.psych.sandbox.spawn;

import org.jspecify.annotations.NullMarked;
