package io.psych.sandbox.limits;

/**
 * The grade of one guarantee with what it rests on.
 *
 * @param guarantee the guarantee
 * @param grade its grade
 * @param evidence what was attempted and what came of it, one sentence for an operator
 * @since 0.1.0
 */
public record Finding(Guarantee guarantee, Grade grade, String evidence) {

}
