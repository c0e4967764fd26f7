package io.psych.sandbox.tool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;

import io.psych.sandbox.bootstrap.BootstrapSources;
import io.psych.sandbox.json.JsonValue;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Holds what the host says of names against what the child makes functions of.
 */
class PythonNamesTests {

	private static final List<String> NAMES = List.of("search", "list_repos", "_", "x1", "\u00e9t\u00e9",
			"\u540d\u524d", "tools", "match", "case", "type", "await_", "list-repos", "weather.get", "1st", "", "a b",
			"a\n", "a\u200b", "a\u00ad", "from", "class", "None", "print", "input", "open", "id", "exit", "help",
			"aiter", "anext", "WindowsError", "ExceptionGroup", "ValueError", "__import__", "call_tool", "TOOLS",
			"ToolError", "__name__", "____", "__", "__x", "x__", "__debug__", "\ufb01le", "\u00aa", "\u2118", "\u212e",
			"\u309b", "a\u00b7", "\u037a", "\ud835\udc00", "self", "soft", "nonlocal", "async");

	private static JsonValue child;

	private static List<String> names;

	@BeforeAll
	static void askTheChild(@TempDir Path sources) throws Exception {
		BootstrapSources.copyTo(sources);
		names = new ArrayList<>(NAMES);
		AwkwardTool.all().map(AwkwardTool::name).forEach(names::add);
		child = PythonScript.run("check_names.py", JsonValue.of(names), sources.toString());
	}

	@Test
	void namesAreFunctionsOfTheChildExactlyWhereTheHostSaysSo() {
		Map<String, Object> host = new LinkedHashMap<>();
		Map<String, Object> theirs = new LinkedHashMap<>();
		List<?> usable = (List<?>) child.members().get("usable");
		for (int i = 0; i < names.size(); i++) {
			host.put(names.get(i), PythonNames.problem(names.get(i)) == null);
			theirs.put(names.get(i), usable.get(i));
		}
		assertThat(host).isEqualTo(theirs).containsValues(true, false);
	}

	@Test
	void builtinsAndKeywordsOfTheInterpreterAreKnown() {
		assertThat(child.strings("builtins")).hasSizeGreaterThan(140)
			.allSatisfy((name) -> assertThat(PythonNames.problem(name)).as(name).isNotNull());
		assertThat(new TreeSet<>(PythonNames.KEYWORDS)).containsExactlyElementsOf(child.strings("keywords"));
	}

	@Test
	void charactersOfNamesAreThoseOfPython() {
		check("begin", Character::toString);
		check("continue", (point) -> "a" + Character.toString(point));
	}

	/** What one of both does not know yet, being of an older Unicode, is left out. */
	private static void check(String place, IntFunction<String> name) {
		Set<Object> theirs = new HashSet<>((List<?>) child.members().get(place));
		Set<Object> unassigned = new HashSet<>((List<?>) child.members().get("unassigned"));
		List<String> different = new ArrayList<>();
		int same = 0;
		for (int point = 0; point < 0x20000; point++) {
			boolean surrogate = point >= 0xD800 && point < 0xE000;
			if (surrogate || Character.getType(point) == Character.UNASSIGNED || unassigned.contains((long) point)) {
				continue;
			}
			boolean ours = PythonNames.problem(name.apply(point)) == null;
			if (ours != theirs.contains((long) point)) {
				different.add("%x %b".formatted(point, ours));
			}
			else {
				same++;
			}
		}
		assertThat(different).isEmpty();
		assertThat(same).isGreaterThan(50_000);
	}

	@ParameterizedTest
	@CsvSource({ "from, keyword", "call_tool, every program", "print, builtin", "list-repos, identifier",
			"__name__, two underscores", "\ufb01le, `file`" })
	void problemSaysWhy(String name, String why) {
		assertThat(PythonNames.problem(name)).contains(why);
	}

	@ParameterizedTest
	@ValueSource(strings = { "self", "print", "match", "\u00e9", "_", "__secret", "list" })
	void argumentCanHaveTheNameOfWhatItShadows(String name) {
		assertThat(PythonNames.isArgument(name)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "from", "None", "", "1st", "cik-A", "__debug__", "\ufb01le", "a b" })
	void argumentThatCannotBeSpelledIsNone(String name) {
		assertThat(PythonNames.isArgument(name)).isFalse();
		assertThat(PythonNames.isMember(name)).isFalse();
	}

	@Test
	void memberWithTwoUnderscoresWouldBeRenamedInAClass() {
		assertThat(PythonNames.isMember("__secret")).isFalse();
		assertThat(PythonNames.isMember("_secret")).isTrue();
	}

	@Test
	void inOrderHasTheRequiredFirst() {
		assertThat(PythonNames.inOrder(List.of("b", "a", "d", "c"), Set.of("d", "c"))).containsExactly("c", "d", "a",
				"b");
	}

}
