package io.psych.sandbox.tool;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The description for the model, made anew only when the tools are others. To render two
 * thousand takes twenty milliseconds, and it is asked for at every turn.
 *
 * @since 0.1.0
 */
public final class Descriptions {

	private final String pythonVersion;

	private final List<String> packages;

	private final AtomicReference<@Nullable Made> last = new AtomicReference<>();

	/**
	 * Create a new instance.
	 * @param pythonVersion the version of the interpreter
	 * @param packages what can be imported beside the standard library
	 */
	public Descriptions(String pythonVersion, List<String> packages) {
		this.pythonVersion = pythonVersion;
		this.packages = List.copyOf(packages);
	}

	/**
	 * Return the description.
	 * @param limits the limits of a program
	 * @param tools the tools of the moment
	 * @return the text, by {@link ToolDescription}
	 */
	public String of(Limits limits, List<HostTool> tools) {
		List<Facts> facts = tools.stream().map(Facts::of).toList();
		Made made = this.last.get();
		if (made == null || !made.limits().equals(limits) || !made.tools().equals(facts)) {
			made = new Made(limits, facts, ToolDescription.of(this.pythonVersion, this.packages, limits, tools));
			this.last.set(made);
		}
		return made.text();
	}

	/**
	 * All of a tool that is in its description. A tool may be another object each time
	 * and the same tool, or the same object and another tool.
	 */
	private record Facts(String name, String description, String origin, JsonValue input, @Nullable JsonValue output,
			Set<ToolCapability> capabilities) {

		static Facts of(HostTool tool) {
			return new Facts(tool.name(), tool.description(), tool.origin(), tool.inputSchema(), tool.outputSchema(),
					tool.capabilities());
		}

	}

	private record Made(Limits limits, List<Facts> tools, String text) {

	}

}
