package io.psych.sandbox.tool;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

class ToolCatalogsTests {

	@Test
	void checkOfToolsWithNamesOfTheirOwnPasses() {
		assertThatNoException().isThrownBy(() -> ToolCatalogs
			.check(List.of(FakeTool.named("a"), FakeTool.named("A"), FakeTool.named("run-code"), FakeTool.named("b"))));
		assertThatNoException().isThrownBy(() -> ToolCatalogs.check(List.of()));
	}

	@Test
	void checkOfTheReservedNameFailsNamingTheOriginAndTheFix() {
		assertThatExceptionOfType(ToolCatalogException.class)
			.isThrownBy(() -> ToolCatalogs.check(List.of(FakeTool.named("a"), FakeTool.named("run_code"))))
			.satisfies((refused) -> {
				assertThat(refused.tool()).isEqualTo("run_code");
				assertThat(refused.problem()).contains("'run_code'", FakeTool.class.getName(), "reserved");
				assertThat(refused.fix()).contains("Rename", "psych.sandbox.tools.exclude");
				assertThat(refused).hasMessage(refused.problem() + " " + refused.fix());
			});
	}

	@Test
	void checkOfTwoToolsOfOneNameFailsNamingIt() {
		assertThatExceptionOfType(ToolCatalogException.class)
			.isThrownBy(() -> ToolCatalogs
				.check(List.of(FakeTool.named("twin"), FakeTool.named("other"), FakeTool.named("twin"))))
			.satisfies((refused) -> {
				assertThat(refused.tool()).isEqualTo("twin");
				assertThat(refused.problem()).isEqualTo("Two tools share the name 'twin'.");
				assertThat(refused.fix()).contains("Rename", "psych.sandbox.tools.exclude");
			});
	}

	@Test
	void catalogueOfFixedToolsIsAlwaysTheSame() {
		HostTool tool = FakeTool.named("a");
		HostTool[] tools = { tool };
		ToolCatalog catalog = ToolCatalog.of(tools);
		tools[0] = FakeTool.named("b");
		assertThat(catalog.tools()).containsExactly(tool).isSameAs(catalog.tools());
	}

}
