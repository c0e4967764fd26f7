/**
 * On what terms a program is executed. Takes what a deployment, a tenant and an agent's
 * definition allow, hands on {@link io.psych.sandbox.terms.Terms} that are nowhere above
 * any of them.
 */
@NullMarked
package io.psych.sandbox.terms;

import org.jspecify.annotations.NullMarked;
