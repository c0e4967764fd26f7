package io.psych.sandbox.spring.mcp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import io.psych.sandbox.spring.mcp.McpNames.Key;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpNames}.
 */
class McpNamesTests {

	private static final Key A_SEARCH = new Key("a", "search");

	private static final Key B_SEARCH = new Key("b", "search");

	private final McpNames names = new McpNames();

	@Test
	void toolThatShareNoNameKeepTheirOwn() {
		assertThat(of(A_SEARCH, new Key("b", "list-repos"))).containsValues("search", "list-repos");
	}

	@Test
	void toolsThatShareNameAreEachNamedAfterTheirConnection() {
		assertThat(of(A_SEARCH, B_SEARCH)).containsEntry(A_SEARCH, "a_search").containsEntry(B_SEARCH, "b_search");
	}

	@Test
	void toolThatOnceSharedItsNameDoesNotGetItBack() {
		of(A_SEARCH, B_SEARCH);
		assertThat(of(A_SEARCH)).containsExactly(Map.entry(A_SEARCH, "a_search"));
	}

	@Test
	void nameNeverComesToMeanToolOfAnotherServer() {
		assertThat(of(A_SEARCH)).containsEntry(A_SEARCH, "search");
		assertThat(of(B_SEARCH)).containsEntry(B_SEARCH, "b_search");
		assertThat(of(A_SEARCH)).containsEntry(A_SEARCH, "a_search");
	}

	@Test
	void toolWhoseNameIsTakenIsNamedAfterItsConnectionAlsoWhenItIsFreeAgain() {
		assertThat(this.names.of(List.of(A_SEARCH), Set.of("search"))).containsEntry(A_SEARCH, "a_search");
		assertThat(of(A_SEARCH)).containsEntry(A_SEARCH, "a_search");
	}

	@Test
	void connectionBecomesPartOfAnIdentifier() {
		assertThat(of(new Key("my server-1", "search"), new Key("1st", "search")).values())
			.containsExactlyInAnyOrder("my_server_1_search", "mcp_1st_search");
	}

	@Test
	void toolWhoseOwnNameIsWhatAnotherIsNamedYields() {
		Key confusing = new Key("c", "a_search");
		assertThat(of(A_SEARCH, B_SEARCH, confusing)).containsEntry(A_SEARCH, "a_search")
			.containsEntry(confusing, "c_a_search");
	}

	@Test
	void toolsWhoseNamesReadTheSameAreToldApartByDigest() {
		Key one = new Key("a", "b_c");
		Key two = new Key("a_b", "c");
		Map<Key, String> named = of(one, two, new Key("x", "b_c"), new Key("x", "c"));
		assertThat(named.get(one)).matches("a_b_c_[0-9a-f]{8}");
		assertThat(named.get(two)).matches("a_b_c_[0-9a-f]{8}").isNotEqualTo(named.get(one));
	}

	@Test
	void toolWhoseNameAfterItsConnectionIsTakenIsToldApartByDigest() {
		assertThat(this.names.of(List.of(A_SEARCH), Set.of("search", "a_search")).get(A_SEARCH))
			.matches("a_search_[0-9a-f]{8}");
	}

	@Test
	void namesDoNotDependOnTheOrderInWhichToolsAreSeen() {
		List<Key> keys = new ArrayList<>();
		for (String connection : List.of("a", "a_b", "b", "b-c", "c")) {
			for (String tool : List.of("x", "b_x", "c_x", "a_b_x", "only_" + connection)) {
				keys.add(new Key(connection, tool));
			}
		}
		Map<String, String> expected = readable(new McpNames().of(keys, Set.of("c_x")));
		assertThat(expected).hasSize(keys.size());
		assertThat(expected.values()).doesNotHaveDuplicates().doesNotContain("c_x");
		Random random = new Random(7);
		for (int i = 0; i < 50; i++) {
			Collections.shuffle(keys, random);
			McpNames shuffled = new McpNames();
			keys.forEach((key) -> shuffled.of(List.of(key), Set.of()));
			assertThat(readable(shuffled.of(keys, Set.of("c_x")))).isEqualTo(expected);
		}
	}

	@Test
	void toolsOfServerThatThinksOfEverNewNamesAreLeftOutInTheEnd() {
		List<Key> keys = new ArrayList<>();
		for (int i = 0; i < McpNames.MOST; i++) {
			keys.add(new Key("a", "t" + i));
		}
		assertThat(this.names.of(keys, Set.of())).hasSize(McpNames.MOST);
		assertThat(of(B_SEARCH)).isEmpty();
		assertThat(of(new Key("a", "t5"))).hasSize(1);
	}

	private Map<Key, String> of(Key... tools) {
		return this.names.of(List.of(tools), Set.of());
	}

	private static Map<String, String> readable(Map<Key, String> names) {
		Map<String, String> readable = new TreeMap<>();
		names.forEach((key, name) -> readable.put(key.toString(), name));
		return readable;
	}

}
