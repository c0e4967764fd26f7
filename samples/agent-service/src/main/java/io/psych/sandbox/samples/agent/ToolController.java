package io.psych.sandbox.samples.agent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.tool.HostTool;
import io.psych.sandbox.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Lists the tools a program can call at this moment: the shop's, and those of every MCP
 * server that is connected.
 */
@RestController
final class ToolController {

	private final ToolCatalog catalog;

	ToolController(ToolCatalog catalog) {
		this.catalog = catalog;
	}

	@GetMapping(path = "/api/tools", produces = MediaType.APPLICATION_JSON_VALUE)
	byte[] tools() {
		List<Map<String, @Nullable Object>> tools = this.catalog.tools().stream().map(ToolController::json).toList();
		return JsonValue.of(tools).toUtf8();
	}

	private static Map<String, @Nullable Object> json(HostTool tool) {
		Map<String, @Nullable Object> json = new LinkedHashMap<>();
		json.put("name", tool.name());
		json.put("description", tool.description());
		json.put("inputSchema", tool.inputSchema());
		json.put("outputSchema", tool.outputSchema());
		return json;
	}

}
