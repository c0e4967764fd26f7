package io.psych.sandbox.spring.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCapability;
import io.psych.sandbox.tool.ToolCatalog;

import org.springframework.beans.factory.ObjectProvider;

/**
 * The tools among the beans of the application, less those the properties leave out.
 * Beans are looked up when an execution begins, never before: a tool may itself need the
 * sandbox.
 */
final class BeanToolCatalog implements ToolCatalog {

	private final ObjectProvider<HostTool> hostTools;

	private final ObjectProvider<ToolSource> sources;

	private final SandboxProperties.Tools choice;

	BeanToolCatalog(ObjectProvider<HostTool> hostTools, ObjectProvider<ToolSource> sources,
			SandboxProperties.Tools choice) {
		this.hostTools = hostTools;
		this.sources = sources;
		this.choice = choice;
	}

	@Override
	public List<HostTool> tools() {
		return tools(ToolSource::tools);
	}

	List<HostTool> localTools() {
		return tools((source, taken) -> source.localTools());
	}

	private HostTool declared(HostTool tool) {
		Set<ToolCapability> more = this.choice.capabilities().get(tool.name());
		return (more != null) ? new DeclaredTool(tool, more) : tool;
	}

	private List<HostTool> tools(BiFunction<ToolSource, Set<String>, List<HostTool>> ask) {
		List<HostTool> tools = new ArrayList<>(this.hostTools.orderedStream().toList());
		this.sources.orderedStream()
			.forEach((source) -> tools
				.addAll(ask.apply(source, tools.stream().map(HostTool::name).collect(Collectors.toSet()))));
		return tools.stream().filter((tool) -> this.choice.offers(tool.name())).map(this::declared).toList();
	}

}
