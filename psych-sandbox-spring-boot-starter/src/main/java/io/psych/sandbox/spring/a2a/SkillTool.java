package io.psych.sandbox.spring.a2a;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.psych.sandbox.contract.CallOrigin;
import io.psych.sandbox.contract.CallState;
import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.spring.http.Credential;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCallContext;
import io.psych.sandbox.tool.ToolCallException;
import io.psych.sandbox.tool.ToolCapability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A skill of a peer under the name it is offered by. A call is one task: begun, asked
 * after until it is done, and cancelled when nobody waits for it any more.
 */
final class SkillTool implements HostTool {

	private static final Logger logger = LoggerFactory.getLogger(SkillTool.class);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

	private static final int MOST_MESSAGE = 2000;

	private static final JsonValue INPUT = JsonValue.parse("""
			{"type": "object",
			 "properties": {
			  "message": {"type": "string", "description": "What the agent is asked to do, complete in itself."},
			  "data": {"type": "object", "description": "Structured data for the agent, beside the message."},
			  "contextId": {"type": "string",
			   "description": "The contextId of an earlier result, to go on with that conversation."},
			  "taskId": {"type": "string",
			   "description": "The taskId of a result in state input-required, to answer it. Not for programs."}},
			 "required": ["message"], "additionalProperties": false}""");

	private static final JsonValue PART = JsonValue.parse("""
			{"type": "object", "description": "Has one of text, data, url and base64.",
			 "properties": {"text": {"type": "string"}, "data": {}, "url": {"type": "string"},
			  "base64": {"type": "string"}, "name": {"type": "string"}, "mediaType": {"type": "string"}}}""");

	private static final JsonValue OUTPUT = JsonValue.parse("""
			{"type": "object",
			 "properties": {
			  "state": {"enum": ["completed", "input-required", "auth-required"]},
			  "text": {"type": "string"},
			  "data": {},
			  "files": {"type": "array", "items": %1$s},
			  "artifacts": {"type": "array", "items": {"type": "object", "properties": {
			   "id": {"type": "string"}, "name": {"type": "string"}, "description": {"type": "string"},
			   "parts": {"type": "array", "items": %1$s}}, "required": ["parts"]}},
			  "contextId": {"type": "string"},
			  "taskId": {"type": "string"}},
			 "required": ["state", "text", "artifacts"]}""".formatted(PART.toJson()));

	private final Peer peer;

	private final AgentCard card;

	private final AgentCard.Skill skill;

	private final String name;

	SkillTool(Peer peer, AgentCard card, AgentCard.Skill skill, String name) {
		this.peer = peer;
		this.card = card;
		this.skill = skill;
		this.name = name;
	}

	@Override
	public String name() {
		return this.name;
	}

	@Override
	public String description() {
		String examples = this.skill.examples()
			.stream()
			.map((example) -> "\n- " + example)
			.collect(Collectors.joining());
		return this.skill.description() + "\nA skill of the agent " + this.card.name() + "."
				+ (examples.isEmpty() ? "" : " Messages it is for:" + examples);
	}

	@Override
	public String origin() {
		return "a2a:" + this.peer.port().name();
	}

	@Override
	public JsonValue inputSchema() {
		return INPUT;
	}

	@Override
	public JsonValue outputSchema() {
		return OUTPUT;
	}

	@Override
	public Set<ToolCapability> capabilities() {
		return this.peer.waiting().contains(this.skill.id()) ? Set.of(ToolCapability.SUSPENDS_THE_RUN) : Set.of();
	}

	@Override
	public List<URI> destinations(JsonValue arguments) {
		return List.of(this.card.url());
	}

	@Override
	public JsonValue call(JsonValue arguments, ToolCallContext context) throws ToolCallException, InterruptedException {
		boolean isProgram = context.origin() == CallOrigin.PROGRAM;
		String message = arguments.string("message");
		String taskId = arguments.string("taskId");
		if (message == null) {
			throw new ToolCallException(ToolFailureKind.BAD_ARGUMENTS, "message is missing.");
		}
		if (isProgram && taskId != null) {
			throw new ToolCallException(ToolFailureKind.BAD_ARGUMENTS,
					"taskId is not for programs: what a task waits for is not theirs to answer. Call the tool directly,"
							+ " outside of a program.");
		}
		Task task = new Task(credential(context));
		AgentReply reply = task.run(new AgentMessage(this.skill.id(), message, arguments.member("data"),
				arguments.string("contextId"), taskId));
		if (reply.state().isWaiting() && isProgram) {
			throw task.waiting(reply);
		}
		return switch (reply.state()) {
			case COMPLETED, INPUT_REQUIRED, AUTH_REQUIRED -> reply.toValue();
			case FAILED -> throw unsuccessful("failed", reply, task.credential);
			case REJECTED -> throw unsuccessful("was rejected", reply, task.credential);
			case CANCELED -> throw unsuccessful("was cancelled by the agent", reply, task.credential);
			case SUBMITTED, WORKING -> throw new IllegalStateException("still " + reply.state());
		};
	}

	private static ToolCallException unsuccessful(String what, AgentReply reply, @Nullable Credential credential) {
		String text = text(reply, credential);
		return new ToolCallException(ToolFailureKind.TOOL_ERROR,
				"The task " + what + (text.isEmpty() ? "." : ": " + text));
	}

	private static String text(AgentReply reply, @Nullable Credential credential) {
		String text = reply.text();
		return Texts.shortened((credential != null) ? credential.takenOutOf(text) : text, MOST_MESSAGE);
	}

	private @Nullable Credential credential(ToolCallContext context) throws ToolCallException {
		if (this.peer.credentials() == null) {
			return null;
		}
		Credential credential;
		try {
			credential = this.peer.credentials().resolve(context.scope(), this.card.url());
		}
		catch (RuntimeException ex) {
			// Whatever its text and trace hold, they are about a secret.
			logger.warn("The credential for the A2A peer {} could not be had: {}", this.peer.port().name(),
					ex.getClass().getName());
			throw new ToolCallException(ToolFailureKind.DENIED,
					"The credential for " + this.name + " could not be had, and the call was not made.");
		}
		if (credential == null) {
			throw new ToolCallException(ToolFailureKind.DENIED,
					"There is no credential for " + this.name + " on behalf of this caller. The call was not made.");
		}
		return credential;
	}

	@Override
	public String toString() {
		return origin() + "/" + this.skill.id();
	}

	/**
	 * One call, until somebody knows how it ended.
	 */
	private final class Task {

		private final @Nullable Credential credential;

		private final long end = System.nanoTime() + SkillTool.this.peer.timeout().toNanos();

		Task(@Nullable Credential credential) {
			this.credential = credential;
		}

		AgentReply run(AgentMessage message) throws ToolCallException, InterruptedException {
			A2aPeer port = SkillTool.this.peer.port();
			AgentReply reply = send(message);
			String id = reply.taskId();
			Duration pause = FIRST_PAUSE;
			boolean isSettled = false;
			try {
				while (reply.state().isUnderWay()) {
					if (id == null) {
						throw new ToolCallException(ToolFailureKind.TOOL_ERROR, CallState.UNKNOWN,
								"The agent began a task and did not name it.", null);
					}
					pause(pause);
					Duration longer = pause.multipliedBy(3).dividedBy(2);
					pause = (longer.compareTo(LONGEST_PAUSE) < 0) ? longer : LONGEST_PAUSE;
					reply = port.task(SkillTool.this.card, id, terms());
				}
				isSettled = true;
				return reply;
			}
			catch (ToolCallException ex) {
				// What happens to the task after this is nowhere told.
				throw new ToolCallException(ex.kind(), CallState.UNKNOWN, String.valueOf(ex.getMessage()), ex);
			}
			finally {
				if (!isSettled) {
					cancel(id);
				}
			}
		}

		private AgentReply send(AgentMessage message) throws ToolCallException, InterruptedException {
			try {
				return SkillTool.this.peer.port().send(SkillTool.this.card, message, terms());
			}
			catch (ToolCallException ex) {
				if (ex.kind() == ToolFailureKind.TIMED_OUT) {
					cancel(message.taskId());
				}
				throw ex;
			}
			catch (InterruptedException ex) {
				cancel(message.taskId());
				throw ex;
			}
		}

		private void pause(Duration pause) throws ToolCallException, InterruptedException {
			long nanos = Math.min(pause.toNanos(), Math.max(this.end - System.nanoTime(), 0));
			if (SkillTool.this.peer.closed().await(nanos, TimeUnit.NANOSECONDS)) {
				throw new ToolCallException(ToolFailureKind.CANCELLED,
						"This service is being stopped. The task is cancelled.");
			}
		}

		private A2aPeer.Terms terms() throws ToolCallException {
			Duration remaining = Duration.ofNanos(this.end - System.nanoTime());
			if (remaining.toMillis() < 1) {
				throw new ToolCallException(ToolFailureKind.TIMED_OUT, "The task was not done within "
						+ SkillTool.this.peer.timeout() + ". It is cancelled, as far as the agent can.");
			}
			return new A2aPeer.Terms(this.credential, remaining);
		}

		ToolCallException waiting(AgentReply reply) {
			SkillTool.this.peer.waiting().add(SkillTool.this.skill.id());
			cancel(reply.taskId());
			String text = text(reply, this.credential);
			return new ToolCallException(ToolFailureKind.APPROVAL_REQUIRED, CallState.UNKNOWN,
					"The agent wants something from a person before it goes on (" + reply.state().id() + ")"
							+ (text.isEmpty() ? "" : ": " + text)
							+ "\nThe task is cancelled; what it had done by then is"
							+ " done. A program can't wait for a person. Call the tool directly, outside of a program.",
					null);
		}

		private void cancel(@Nullable String id) {
			if (id != null) {
				SkillTool.this.peer.cancellations()
					.cancel(SkillTool.this.peer.port(), SkillTool.this.card, id, this.credential);
			}
		}

	}

}
