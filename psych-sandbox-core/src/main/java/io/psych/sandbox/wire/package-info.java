/**
 * The frames between host and child, one line of JSON each ({@code docs/protocol}).
 * Everything the child sends is hostile: bytes are counted before they are parsed, and a
 * frame is rebuilt field by field. Takes bytes, hands on
 * {@link io.psych.sandbox.wire.Frame}s, throws facts.
 */
@NullMarked
package io.psych.sandbox.wire;

import org.jspecify.annotations.NullMarked;
