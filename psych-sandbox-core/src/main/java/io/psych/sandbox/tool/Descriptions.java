package io.psych.sandbox.tool;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

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

	/** Agents differ in their tools, and so do tenants. */
	private static final int MOST = 16;

	private final String pythonVersion;

	private final List<String> packages;

	/** The latest first. */
	private volatile List<Made> made = List.of();

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
		List<Made> made = this.made;
		for (Made known : made) {
			if (known.limits().equals(limits) && known.tools().equals(facts)) {
				return known.text();
			}
		}
		Made latest = new Made(limits, facts, ToolDescription.of(this.pythonVersion, this.packages, limits, tools));
		// What two make at once is made again by whom it is lost to.
		this.made = Stream.concat(Stream.of(latest), made.stream()).limit(MOST).toList();
		return latest.text();
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
