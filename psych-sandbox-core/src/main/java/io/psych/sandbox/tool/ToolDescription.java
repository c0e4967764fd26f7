package io.psych.sandbox.tool;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.psych.sandbox.contract.ToolFailureKind;
import io.psych.sandbox.limits.CallLimits;
import io.psych.sandbox.limits.Limits;

/**
 * What the model is told of the program's world: when to write a program, the rules, the
 * limits as numbers and the tools with their types. The same tools and limits give the
 * same text, byte for byte, in whatever order they come.
 *
 * @since 0.1.0
 */
public final class ToolDescription {

	/** Beyond that the signatures get shorter, and then fewer. */
	static final int MOST_CHARACTERS = 16_000;

	/** A tool with a longer signature is shown in short among others. */
	private static final int MOST_OF_ONE_TOOL = 2_500;

	private static final int MOST_DIRECT = 1_000;

	private static final int MOST_PACKAGES = 1_500;

	/** After so many tools in a row that do not fit, none is tried any more. */
	private static final int MOST_MISSES = 20;

	private static final String WORLD = """
			Runs one Python program and returns what it printed and the value of its last expression. Use it for \
			several tool calls, loops, filtering, joining and computing. Do not use it for a single small call: call \
			that tool directly, if it is offered directly.

			The program's world:
			- Python %s, %s. No network, no files of the host, no input(). Nothing is kept between programs: \
			each starts fresh. Files are relative to the working folder: those of `files` are there, read-only, and \
			those a program leaves there come back as attachments.
			- The tools below are already in scope: call them by name, do not import or redefine them. Their \
			functions exist inside of programs only, and what is neither below nor found by list_tools does not exist.
			- Call by keyword and await: `rows = await name(argument=value)`. A tool whose name is no usable \
			identifier has no function: `await call_tool("its-name", {"argument": value})`. An argument named like a \
			keyword gets a trailing underscore: `from_=`. Top-level await, asyncio.gather and return work. In a \
			thread, `name(argument=value).result()` waits for the result.
			- Calls return parsed objects, never JSON text. Where the result is Any, the shape is unknown: print one \
			item first, do not chain on guessed fields.
			- A call that fails raises ToolError with `kind` and `tool`: try/except ToolError. Siblings in \
			asyncio.gather go on only with return_exceptions=True.
			- Return the answer as the last expression or print it; both are delivered. Return plain data, and little \
			of it.
			- Limits: %d s of CPU, %d s in all with waiting for tools, %d s for one call, %d MiB of memory, %d KiB kept \
			of each of stdout and stderr (head and tail), %d KiB of value.
			- Calls: %s. %s of arguments and %s of result for one call, %s of both in all. A larger result is never \
			shortened: it comes as a handle that read_tool_output reads in parts, or the call fails as `%s`. Beyond a \
			budget a call fails as `%s`, and nothing is given back for calls that failed.
			""";

	private ToolDescription() {
	}

	/**
	 * Return the description.
	 * @param pythonVersion the version of the interpreter
	 * @param packages what can be imported beside the standard library
	 * @param limits the limits of a program
	 * @param tools the tools of the moment; those a program can't call are left out
	 * @return the text
	 */
	public static String of(String pythonVersion, List<String> packages, Limits limits, List<HostTool> tools) {
		return of(pythonVersion, packages, limits, tools, MOST_CHARACTERS);
	}

	static String of(String pythonVersion, List<String> packages, Limits limits, List<HostTool> tools, int most) {
		List<HostTool> offered = tools.stream()
			.filter((tool) -> ToolGateway.whyExcluded(tool) == null)
			.sorted(Comparator.comparing(HostTool::name))
			.toList();
		List<HostTool> callable = offered.stream().filter((tool) -> ToolGateway.whyDirect(tool) == null).toList();
		StringBuilder text = new StringBuilder(world(pythonVersion, importable(packages), limits));
		text.append(direct(offered));
		String example = Example.of(callable, new Arguments());
		if (example != null) {
			text.append("\nFor example:\n").append(example).append('\n');
		}
		List<HostTool> builtIn = BuiltInTools.of(callable, new StoredResults(0));
		if (!builtIn.isEmpty()) {
			text.append("\nIn every program:\n\n");
			text.append(text(signatures(builtIn, callable, Detail.PLAIN, most)));
		}
		return text.append(list(callable, builtIn, most - text.length())).toString();
	}

	private static String importable(List<String> packages) {
		if (packages.isEmpty()) {
			return "standard library only";
		}
		StringBuilder text = new StringBuilder("standard library and these packages: ");
		int listed = 0;
		while (listed < packages.size() && text.length() + packages.get(listed).length() < MOST_PACKAGES) {
			text.append((listed > 0) ? ", " : "").append(packages.get(listed++));
		}
		return (listed < packages.size()) ? text + " and " + (packages.size() - listed) + " more" : text.toString();
	}

	private static String world(String pythonVersion, String importable, Limits limits) {
		CallLimits calls = limits.calls();
		return WORLD.formatted(pythonVersion, importable, limits.cpu().toSeconds(), limits.wallTime().toSeconds(),
				limits.toolTimeout().toSeconds(), limits.addressSpace().bytes() >> 20, limits.stream().bytes() >> 10,
				limits.value().bytes() >> 10,
				(calls.perExecution() == 0) ? "none"
						: calls.perExecution() + " in one program, " + calls.perRun() + " in all programs of a run",
				calls.arguments(), calls.result(), calls.total(), ToolFailureKind.RESULT_NOT_PAGED.id(),
				ToolFailureKind.BUDGET_SPENT.id());
	}

	/** Name what is refused to programs, and why. */
	private static String direct(List<HostTool> tools) {
		List<String> names = new ArrayList<>();
		int characters = 0;
		int left = 0;
		for (HostTool tool : tools) {
			String why = ToolGateway.whyDirect(tool);
			if (why != null) {
				String name = PythonText.literal(tool.name()) + " (" + why + ")";
				characters += name.length() + 2;
				if (characters <= MOST_DIRECT) {
					names.add(name);
				}
				else {
					left++;
				}
			}
		}
		if (left > 0) {
			names.add("and " + left + " more");
		}
		return names.isEmpty() ? ""
				: "- Refused to programs, so call these directly, outside of one: " + String.join(", ", names) + ".\n";
	}

	private static String list(List<HostTool> tools, List<HostTool> others, int room) {
		String complete = "\nTools (COMPLETE, " + tools.size() + "):\n\n";
		List<String> listed = signatures(tools, others, Detail.LISTED, room - complete.length());
		if (listed.size() == tools.size()) {
			return complete + text(listed);
		}
		complete = "\nTools (COMPLETE, " + tools.size() + ", in short; get_tool_info tells all of one):\n\n";
		listed = signatures(tools, others, Detail.SHORT, room - complete.length());
		if (listed.size() == tools.size()) {
			return complete + text(listed);
		}
		String partial = "\nTools (%d of " + tools.size()
				+ ", in short; find the others inside a program: list_tools, then get_tool_info):\n\n";
		List<String> chosen = choose(tools, others, room - partial.length() - 3);
		return partial.formatted(chosen.size()) + text(chosen);
	}

	private static String text(List<String> signatures) {
		return signatures.isEmpty() ? "" : String.join("\n\n", signatures) + "\n";
	}

	/** Render signatures until there is no more room. */
	private static List<String> signatures(List<HostTool> tools, List<HostTool> others, Detail detail, int room) {
		TypeNames names = names(tools, others);
		List<String> signatures = new ArrayList<>();
		int left = room;
		for (HostTool tool : tools) {
			int before = names.mark();
			String signature = Signature.of(tool, detail, names);
			if (signature.length() > MOST_OF_ONE_TOOL && detail != Detail.SHORT) {
				names.backTo(before);
				signature = Signature.of(tool, Detail.SHORT, names);
			}
			left -= signature.length() + 2;
			if (left < 0) {
				break;
			}
			signatures.add(signature);
		}
		return signatures;
	}

	private static TypeNames names(List<HostTool> tools, List<HostTool> others) {
		Set<String> functions = new HashSet<>();
		tools.forEach((tool) -> functions.add(tool.name()));
		others.forEach((tool) -> functions.add(tool.name()));
		return new TypeNames(functions);
	}

	/** Take one of each origin in turn, so that a large one does not hide the others. */
	private static List<String> choose(List<HostTool> tools, List<HostTool> others, int room) {
		Map<String, Deque<HostTool>> origins = new TreeMap<>();
		tools.forEach((tool) -> origins.computeIfAbsent(tool.origin(), (absent) -> new ArrayDeque<>()).add(tool));
		Deque<Deque<HostTool>> turns = new ArrayDeque<>(origins.values());
		TypeNames names = names(tools, others);
		Map<String, String> chosen = new TreeMap<>();
		int left = room;
		int misses = 0;
		while (!turns.isEmpty() && misses < MOST_MISSES) {
			Deque<HostTool> origin = turns.remove();
			HostTool tool = origin.remove();
			int before = names.mark();
			String signature = Signature.of(tool, Detail.SHORT, names);
			if (signature.length() + 2 <= left) {
				left -= signature.length() + 2;
				chosen.put(tool.name(), signature);
				misses = 0;
			}
			else {
				names.backTo(before);
				misses++;
			}
			if (!origin.isEmpty()) {
				turns.add(origin);
			}
		}
		return List.copyOf(chosen.values());
	}

}
