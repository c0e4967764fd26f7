package io.psych.sandbox.artifact;

/**
 * A file that a program left in its workspace.
 *
 * @param name its path in the workspace, made fit to be shown and to be a file's name
 * anywhere
 * @param mediaType its media type
 * @param bytes its size
 * @since 0.1.0
 */
public record Artifact(String name, String mediaType, long bytes) {

}
