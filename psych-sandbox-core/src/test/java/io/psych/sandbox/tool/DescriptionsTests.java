package io.psych.sandbox.tool;

import java.time.Duration;
import java.util.List;

import io.psych.sandbox.json.JsonValue;
import io.psych.sandbox.limits.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A description is made once for the same tools, and anew for others.
 */
class DescriptionsTests {

	private final Descriptions descriptions = new Descriptions("3.11.2", List.of("numpy 1.24"));

	@Test
	void sameToolsHaveTheSameTextHoweverTheyCome() {
		String first = this.descriptions.of(Limits.defaults(), List.of(new Changing("fetch", "Fetches.")));
		assertThat(first).isEqualTo(ToolDescription.of("3.11.2", List.of("numpy 1.24"), Limits.defaults(),
				List.of(new Changing("fetch", "Fetches."))));
		assertThat(this.descriptions.of(Limits.defaults(), List.of(new Changing("fetch", "Fetches.")))).isSameAs(first);
	}

	@Test
	void agentsWithDifferentToolsDoNotUndoEachOther() {
		List<HostTool> reader = List.of(new Changing("fetch", "Fetches."));
		List<HostTool> writer = List.of(new Changing("store", "Stores."));
		String first = this.descriptions.of(Limits.defaults(), reader);
		assertThat(this.descriptions.of(Limits.defaults(), writer)).contains("Stores.");
		assertThat(this.descriptions.of(Limits.defaults(), reader)).isSameAs(first);
		for (int i = 0; i < 16; i++) {
			this.descriptions.of(Limits.defaults(), List.of(new Changing("tool_" + i, "Is one of many.")));
		}
		assertThat(this.descriptions.of(Limits.defaults(), reader)).isEqualTo(first).isNotSameAs(first);
	}

	@Test
	void toolThatChangesChangesTheTextEvenIfItIsTheSameObject() {
		Changing tool = new Changing("fetch", "Fetches.");
		String first = this.descriptions.of(Limits.defaults(), List.of(tool));
		tool.description = "Fetches twice.";
		assertThat(this.descriptions.of(Limits.defaults(), List.of(tool))).contains("Fetches twice.")
			.isNotEqualTo(first);
		tool.schema = JsonValue.parse("{\"type\":\"object\",\"properties\":{\"address\":{\"type\":\"string\"}}}");
		assertThat(this.descriptions.of(Limits.defaults(), List.of(tool))).contains("address");
		assertThat(this.descriptions.of(Limits.defaults(), List.of())).doesNotContain("Fetches");
	}

	@Test
	void otherLimitsChangeTheText() {
		String first = this.descriptions.of(Limits.defaults(), List.of());
		assertThat(this.descriptions.of(Limits.defaults().withCpu(Duration.ofSeconds(3)), List.of()))
			.contains("3 s of CPU")
			.isNotEqualTo(first);
	}

	private static final class Changing implements HostTool {

		private final String name;

		private String description;

		private JsonValue schema = JsonValue.parse("{\"type\":\"object\"}");

		Changing(String name, String description) {
			this.name = name;
			this.description = description;
		}

		@Override
		public String name() {
			return this.name;
		}

		@Override
		public String description() {
			return this.description;
		}

		@Override
		public JsonValue inputSchema() {
			return this.schema;
		}

		@Override
		public JsonValue call(JsonValue arguments, ToolCallContext context) {
			return JsonValue.NULL;
		}

	}

}
