/**
 * Properties in, beans out: binds {@code psych.sandbox.*}, selects a backend, and offers
 * the sandbox, the {@code run_code} tool and the health indicator. What can't work ends
 * the startup with one paragraph.
 */
@NullMarked
package io.psych.sandbox.spring.autoconfigure;

import org.jspecify.annotations.NullMarked;
