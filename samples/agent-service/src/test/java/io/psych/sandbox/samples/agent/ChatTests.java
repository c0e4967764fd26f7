package io.psych.sandbox.samples.agent;

import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the chat, with a model that writes one program and repeats what came of it.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "psych.sandbox.interpreter=${psych.python:/usr/bin/python3}")
@AutoConfigureRestTestClient
class ChatTests {

	@Autowired
	private RestTestClient client;

	@Test
	void chatWhenModelCallsRunCodeAnswersFromWhatTheProgramFound() {
		Answer answer = Answer.toPost(this.client, "/api/chat", Map.of("message", "How many orders are open?"));
		assertThat(answer.status()).isEqualTo(200);
		assertThat(answer.text("$.answer")).contains("13 orders are open");
	}

	@Test
	void chatWhenMessageIsBlankAnswersProblem() {
		Answer answer = Answer.toPost(this.client, "/api/chat", Map.of("message", " "));
		assertThat(answer.status()).isEqualTo(400);
		assertThat(answer.text("$.detail")).contains("message is missing or blank");
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Model {

		@Bean
		ChatModel chatModel() {
			return new OneProgramModel();
		}

	}

	static class OneProgramModel implements ChatModel {

		private static final String PROGRAM = """
				orders = await list_orders(status="OPEN")
				print(f"{len(orders)} orders are open")
				""";

		@Override
		public ChatOptions getOptions() {
			return ToolCallingChatOptions.builder().build();
		}

		@Override
		public ChatResponse call(Prompt prompt) {
			assertThat(((ToolCallingChatOptions) prompt.getOptions()).getToolCallbacks())
				.extracting((tool) -> tool.getToolDefinition().name())
				.contains("run_code", "read_attachment", "list_orders");
			List<Message> messages = prompt.getInstructions();
			Message last = messages.get(messages.size() - 1);
			AssistantMessage reply = (last instanceof ToolResponseMessage outcome) ? repeat(outcome) : writeProgram();
			return new ChatResponse(List.of(new Generation(reply)));
		}

		private static AssistantMessage writeProgram() {
			String arguments = JsonValue.of(Map.of("program", PROGRAM)).toJson();
			return AssistantMessage.builder()
				.toolCalls(List.of(new AssistantMessage.ToolCall("call-1", "function", "run_code", arguments)))
				.build();
		}

		private static AssistantMessage repeat(ToolResponseMessage outcome) {
			return new AssistantMessage(outcome.getResponses().get(0).responseData());
		}

	}

}
