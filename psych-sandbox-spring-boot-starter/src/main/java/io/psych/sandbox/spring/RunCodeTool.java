package io.psych.sandbox.spring;

import java.util.LinkedHashMap;
import java.util.Map;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

/**
 * The {@code run_code} tool: takes one program, answers with what came of it. Needs no AI
 * framework; an application hands it to whatever loop its model runs in, or calls it
 * itself.
 *
 * @since 0.1.0
 */
public final class RunCodeTool {

	private static final String PROGRAM = "program";

	/** What a model has a use for; all others are counted. */
	private static final int MOST_CALLS = 100;

	private static final JsonValue INPUT_SCHEMA = JsonValue.parse("""
			{
				"type": "object",
				"properties": {
					"program": {
						"type": "string",
						"description": "The whole text of one Python program, without Markdown fences."
					}
				},
				"required": ["program"],
				"additionalProperties": false
			}""");

	private final Sandbox sandbox;

	/**
	 * Create the tool for a sandbox.
	 * @param sandbox the sandbox that executes the programs
	 */
	public RunCodeTool(Sandbox sandbox) {
		this.sandbox = sandbox;
	}

	/**
	 * Return the name the model calls the tool by.
	 * @return {@value ToolCatalog#RESERVED_NAME}
	 */
	public String name() {
		return ToolCatalog.RESERVED_NAME;
	}

	/**
	 * Return what the model is told: the rules of the program's world, the budgets and
	 * the tools of the moment.
	 * @return the description
	 */
	public String description() {
		return this.sandbox.describe();
	}

	/**
	 * Return the shape of the arguments.
	 * @return a JSON Schema of type object
	 */
	public JsonValue inputSchema() {
		return INPUT_SCHEMA;
	}

	/**
	 * Execute the program a model sent.
	 * @param argumentsJson the arguments as the model wrote them, a JSON object
	 * @param attributes values handed to every tool the program calls, never to the
	 * program or the model
	 * @return the result record as JSON, for a failure too; of the isolation only the
	 * level, since its evidence is for operators
	 * @throws IllegalArgumentException if the arguments are not those of the schema; the
	 * message tells the model what to send
	 */
	public String call(String argumentsJson, Map<String, Object> attributes) {
		return call(argumentsJson, Scope.NONE, attributes);
	}

	/**
	 * Execute the program a model sent, for somebody.
	 * @param argumentsJson the arguments as the model wrote them, a JSON object
	 * @param scope whose program it is
	 * @param attributes values handed to every tool the program calls, never to the
	 * program or the model
	 * @return the result record as JSON, for a failure too; of the isolation only the
	 * level, since its evidence is for operators
	 * @throws IllegalArgumentException if the arguments are not those of the schema; the
	 * message tells the model what to send
	 */
	public String call(String argumentsJson, Scope scope, Map<String, Object> attributes) {
		return forModel(run(RunRequest.of(program(argumentsJson)).withScope(scope).withAttributes(attributes)));
	}

	/**
	 * Execute a program.
	 * @param request the program and the terms it asks for
	 * @return what came of it
	 */
	public RunResult run(RunRequest request) {
		return this.sandbox.run(request);
	}

	private static String forModel(RunResult result) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>(result.withCallsListed(MOST_CALLS).toJson().members());
		json.put("isolation", result.isolation().level().id());
		return JsonValue.of(json).toJson();
	}

	private static String program(String argumentsJson) {
		JsonValue arguments = parse(argumentsJson);
		String program = arguments.string(PROGRAM);
		if (program == null || arguments.members().size() != 1) {
			throw refusal((arguments.isObject() ? "they have the members " + arguments.members().keySet()
					: "they are no JSON object"), null);
		}
		return program;
	}

	private static JsonValue parse(String argumentsJson) {
		try {
			return JsonValue.parse(argumentsJson);
		}
		catch (JsonFormatException ex) {
			throw refusal("they are not JSON: " + ex.getMessage(), ex);
		}
	}

	private static IllegalArgumentException refusal(String problem, @Nullable JsonFormatException cause) {
		return new IllegalArgumentException(
				"The arguments of %s can't be used, %s. Send one JSON object: {\"%s\": "
					.formatted(ToolCatalog.RESERVED_NAME, problem, PROGRAM) + "\"<the whole program as one string>\"}.",
				cause);
	}

}
