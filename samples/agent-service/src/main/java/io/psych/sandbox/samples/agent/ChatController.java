package io.psych.sandbox.samples.agent;

import java.util.Map;
import java.util.UUID;

import io.psych.sandbox.spring.ScopeResolver;
import io.psych.sandbox.spring.springai.AgentToolCallbacks;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Lets a chat model answer by writing programs. Not there until a chat model is
 * configured, which takes one of Spring AI's model starters.
 */
@RestController
final class ChatController {

	private static final String SYSTEM = """
			You answer questions about the orders, customers and shipping costs of a shop. \
			Look at the data with a program; do not guess.""";

	private final ObjectProvider<ChatModel> model;

	private final AgentToolCallbacks tools;

	ChatController(ObjectProvider<ChatModel> model, @Qualifier("agentToolCallbacks") AgentToolCallbacks tools) {
		this.model = model;
		this.tools = tools;
	}

	@PostMapping("/api/chat")
	ChatAnswer chat(@RequestBody ChatQuestion question) {
		ChatModel model = this.model.getIfAvailable();
		if (model == null) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"No chat model is configured. Add one of Spring AI's model starters to talk to this service.");
		}
		if (question.message() == null || question.message().isBlank()) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"message is missing or blank. Send {\"message\": \"Which orders are open?\"}.");
		}
		String answer = ChatClient.create(model)
			.prompt()
			.system(SYSTEM)
			.user(question.message())
			.tools(this.tools)
			.toolContext(Map.of(ScopeResolver.RUN, UUID.randomUUID().toString()))
			.call()
			.content();
		return new ChatAnswer(answer);
	}

	/**
	 * What a person asks.
	 *
	 * @param message the question
	 */
	record ChatQuestion(@Nullable String message) {

	}

	/**
	 * What the model answers.
	 *
	 * @param answer the answer, or {@code null} when the model gave none
	 */
	record ChatAnswer(@Nullable String answer) {

	}

}
