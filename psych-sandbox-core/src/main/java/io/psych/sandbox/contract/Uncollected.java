package io.psych.sandbox.contract;

/**
 * A file of the workspace that did not become an attachment.
 *
 * @param name its path within the workspace, cut to a sane length
 * @param reason why, in one sentence for the model
 * @since 0.1.0
 */
public record Uncollected(String name, String reason) {

}
