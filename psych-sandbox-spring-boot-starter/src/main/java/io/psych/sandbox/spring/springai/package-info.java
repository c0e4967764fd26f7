/**
 * The way between Spring AI and the sandbox, in both directions: {@code run_code} as a
 * {@link org.springframework.ai.tool.ToolCallback}, and the application's own tools as
 * {@link io.psych.sandbox.tool.HostTool}s. Loaded only where Spring AI is on the
 * classpath.
 */
@NullMarked
package io.psych.sandbox.spring.springai;

import org.jspecify.annotations.NullMarked;
