/**
 * What others wrote, as it may stand in a log. Takes text and problems that may hold a
 * program's words, hands on one harmless line; knows nothing else of the product.
 */
@NullMarked
package io.psych.sandbox.log;

import org.jspecify.annotations.NullMarked;
