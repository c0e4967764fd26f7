package io.psych.sandbox.contract;

/**
 * Names a result that is too large for one reply and is kept on the host. Means nothing
 * outside the execution whose call produced it.
 *
 * @param id what the program passes to {@code read_tool_output}
 * @param bytes its bytes, as UTF-8
 * @param format {@code json}, or {@code text} for a result that is one string
 * @since 0.1.0
 */
public record ResultHandle(String id, long bytes, String format) {

}
