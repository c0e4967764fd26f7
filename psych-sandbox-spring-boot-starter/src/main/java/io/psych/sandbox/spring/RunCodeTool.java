package io.psych.sandbox.spring;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.psych.sandbox.Sandbox;
import io.psych.sandbox.attachment.Slot;
import io.psych.sandbox.contract.Attachment;
import io.psych.sandbox.contract.CapturedStream;
import io.psych.sandbox.contract.InputFile;
import io.psych.sandbox.contract.RunRequest;
import io.psych.sandbox.contract.RunResult;
import io.psych.sandbox.contract.Scope;
import io.psych.sandbox.json.JsonFormatException;
import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.output.Captured;
import io.psych.sandbox.terms.Spec;
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

	/** The entry of a tool context that names the Spec of the agent. */
	public static final String SPEC = "psych.spec";

	private static final String PROGRAM = "program";

	private static final String FILES = "files";

	private static final Set<String> ARGUMENTS = Set.of(PROGRAM, FILES);

	/** What a model has a use for; all others are counted. */
	private static final int MOST_CALLS = 100;

	private static final JsonValue INPUT_SCHEMA = JsonValue
		.parse("""
				{
					"type": "object",
					"properties": {
						"program": {
							"type": "string",
							"description": "The whole text of one Python program, without Markdown fences."
						},
						"files": {
							"type": "object",
							"additionalProperties": {"type": "string"},
							"description": "Attachments of earlier programs to lie in the working folder: by the name of the file, the handle."
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
	 * Return what the model of an agent is told: of the tools of the moment those its
	 * programs may call, and the limits its Spec leaves.
	 * @param spec the name of a published Spec
	 * @return the description
	 * @throws io.psych.sandbox.UnknownSpecException if no Spec is published under the
	 * name
	 */
	public String description(String spec) {
		return this.sandbox.describe(Scope.NONE, this.sandbox.spec(spec));
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
		return call(argumentsJson, scope, null, attributes);
	}

	/**
	 * Execute the program a model sent, for somebody, under a Spec.
	 * @param argumentsJson the arguments as the model wrote them, a JSON object
	 * @param scope whose program it is
	 * @param spec the name of a published Spec, or {@code null} for none
	 * @param attributes values handed to every tool the program calls, never to the
	 * program or the model
	 * @return the result record as JSON, for a failure too; of the isolation only the
	 * level, since its evidence is for operators
	 * @throws IllegalArgumentException if the arguments are not those of the schema; the
	 * message tells the model what to send
	 * @throws io.psych.sandbox.UnknownSpecException if no Spec is published under the
	 * name, which the model can't mend
	 */
	public String call(String argumentsJson, Scope scope, @Nullable String spec, Map<String, Object> attributes) {
		Spec agent = (spec != null) ? this.sandbox.spec(spec) : Spec.NONE;
		JsonValue arguments = parse(argumentsJson);
		return forModel(run(RunRequest.of(program(arguments))
			.withScope(scope)
			.withSpec(agent)
			.withInputs(files(arguments))
			.withAttributes(attributes)));
	}

	/**
	 * Execute a program.
	 * @param request the program and the terms it asks for
	 * @return what came of it
	 */
	public RunResult run(RunRequest request) {
		return this.sandbox.run(request);
	}

	/**
	 * Everything a model has a use for: of what is kept it is told what it does not see
	 * whole.
	 */
	private String forModel(RunResult result) {
		CapturedStream value = valuePreview(result);
		List<Attachment> unseen = result.attachments().stream().filter((attachment) -> switch (Slot.of(attachment)) {
			case STDOUT -> result.stdout().truncated();
			case STDERR -> result.stderr().truncated();
			case VALUE -> value != null;
			case ARTIFACT -> true;
		}).toList();
		Map<String, @Nullable Object> json = new LinkedHashMap<>(
				result.withCallsListed(MOST_CALLS).withAttachments(unseen).toJson().members());
		json.put("isolation", result.isolation().level().id());
		if (value != null) {
			json.put("value", null);
			json.put("valuePreview", value.text());
		}
		return JsonValue.of(json).toJson();
	}

	/**
	 * A value can be more than a model is to read, and is then kept to be read in parts.
	 */
	private @Nullable CapturedStream valuePreview(RunResult result) {
		if (result.attachments().stream().noneMatch((attachment) -> Slot.of(attachment) == Slot.VALUE)) {
			return null;
		}
		CapturedStream value = Captured.of(result.value().toUtf8()).preview(this.sandbox.limits().stream());
		return value.truncated() ? value : null;
	}

	private static String program(JsonValue arguments) {
		String program = arguments.string(PROGRAM);
		if (program == null || !ARGUMENTS.containsAll(arguments.members().keySet())) {
			throw refusal((arguments.isObject() ? "they have the members " + arguments.members().keySet()
					: "they are no JSON object"), null);
		}
		return program;
	}

	private static List<InputFile> files(JsonValue arguments) {
		JsonValue files = arguments.member(FILES);
		if (files == null || files.isNull()) {
			return List.of();
		}
		List<InputFile> inputs = new ArrayList<>();
		for (String name : files.members().keySet()) {
			String handle = files.string(name);
			if (handle == null) {
				throw refusal("the file " + name + " has no handle", null);
			}
			inputs.add(new InputFile.Attached(name, handle));
		}
		return inputs;
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
		return new IllegalArgumentException("The arguments of %s can't be used, %s. Send one JSON object: {\"%s\": "
			.formatted(ToolCatalog.RESERVED_NAME, problem, PROGRAM)
				+ "\"<the whole program as one string>\"}, and if need be \"" + FILES
				+ "\": {\"<name>\": \"<handle>\"}.", cause);
	}

}
