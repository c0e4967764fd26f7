/**
 * What an execution may use, what isolation guarantees exist, and how a set of grades
 * becomes one level. Takes numbers, hands on checked values; knows nothing else of the
 * product.
 */
@NullMarked
package io.psych.sandbox.limits;

import org.jspecify.annotations.NullMarked;
