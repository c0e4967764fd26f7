package io.psych.sandbox.spring.a2a;

import io.psych.sandbox.json.JsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A message to an agent.
 *
 * @param skill the skill that is meant. The protocol has no place for it: it is sent as
 * metadata, and the agent decides by the text
 * @param text the text
 * @param data data beside the text, or {@code null}
 * @param contextId the conversation that goes on, or {@code null} for a new one
 * @param taskId the task that waits for this message, or {@code null} for a new one
 */
record AgentMessage(String skill, String text, @Nullable JsonValue data, @Nullable String contextId,
		@Nullable String taskId) {

}
