package io.psych.sandbox.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The table of types in {@code docs/values.md}, row by row.
 */
class PublishedTypesTests {

	private static final String SECTION = "\n## Types in signatures\n";

	/**
	 * A row of the table.
	 *
	 * @param schema the example
	 * @param given its type as an argument
	 * @param received its type as a result
	 */
	record Row(String schema, String given, String received) {

	}

	static List<Row> rows() {
		String page;
		try {
			page = Files.readString(Path.of("..", "docs", "values.md"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		int begin = page.indexOf(SECTION);
		String section = page.substring(begin, page.indexOf("\n## ", begin + SECTION.length()));
		List<Row> rows = new ArrayList<>();
		section.lines().filter((line) -> line.startsWith("| ")).skip(2).forEach((line) -> {
			String[] cells = line.split("(?<!\\\\)\\|");
			rows.add(new Row(code(cells[2]), code(cells[3]), code(cells[4])));
		});
		return rows;
	}

	private static String code(String cell) {
		return cell.strip().replaceAll("^`|`$", "").replace("\\|", "|");
	}

	@Test
	void rowsAreThere() {
		assertThat(rows()).hasSizeGreaterThan(20);
	}

	@ParameterizedTest
	@MethodSource("rows")
	void typeIsTheOneOfTheTable(Row row) {
		Map<String, Object> properties = new LinkedHashMap<>();
		properties.put("x", JsonValue.parse(row.schema()));
		properties.put("y", Map.of("type", "boolean"));
		HostTool tool = new AwkwardTool("page",
				JsonValue.of(Map.of("name", "tool", "description", "", "input",
						Map.of("type", "object", "properties", properties, "required", List.of("x")), "output",
						JsonValue.parse(row.schema()))));
		assertThat(Signature.of(tool))
			.contains("async def tool(*, x: " + row.given() + ", y: bool = ...) -> " + row.received() + ":");
	}

}
