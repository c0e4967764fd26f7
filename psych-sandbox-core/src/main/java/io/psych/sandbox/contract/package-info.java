/**
 * The nouns a host sees: what is asked ({@link io.psych.sandbox.contract.RunRequest}),
 * what comes back ({@link io.psych.sandbox.contract.RunResult}), and the one callback
 * through which a program reaches a tool ({@link io.psych.sandbox.contract.Bindings}).
 */
@NullMarked
package io.psych.sandbox.contract;

import org.jspecify.annotations.NullMarked;
