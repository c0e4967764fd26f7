package io.psych.sandbox.contract;

/**
 * Something an execution left behind that is read by its handle: a stream, the value, a
 * file.
 *
 * @param name its name, such as {@code stdout} or a path within the workspace
 * @param handle the handle, meaningless outside the run that made it
 * @param mediaType its media type
 * @param bytes the size of what is kept
 * @param whole whether all of it is kept; otherwise its head and its tail are, with the
 * middle counted
 * @since 0.1.0
 */
public record Attachment(String name, String handle, String mediaType, long bytes, boolean whole) {

}
