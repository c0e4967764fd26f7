/**
 * JSON within bounds. The only user of the JSON library: takes bytes or Java values,
 * hands on values whose depth, size and numbers have been checked.
 */
@NullMarked
package io.psych.sandbox.json;

import org.jspecify.annotations.NullMarked;
