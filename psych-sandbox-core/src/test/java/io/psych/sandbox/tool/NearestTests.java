package io.psych.sandbox.tool;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class NearestTests {

	private static final List<String> NAMES = List.of("orders.list", "orders.get", "weather", "id");

	@ParameterizedTest
	@CsvSource({ "order.list, orders.list", "orders_list, orders.list", "ORDERS.GET, orders.get", "wether, weather",
			"weahter, weather", "weather, weather", "ids, id", "orders.lits, orders.list" })
	void toANameSomebodyMayHaveMeantIsThatName(String word, String name) {
		assertThat(Nearest.to(word, NAMES)).isEqualTo(name);
	}

	@ParameterizedTest
	@CsvSource({ "customers", "xyz", "w", "''" })
	void toANameThatResemblesNoneIsNull(String word) {
		assertThat(Nearest.to(word, NAMES)).isNull();
	}

	@Test
	void toNoNamesIsNull() {
		assertThat(Nearest.to("weather", List.of())).isNull();
	}

	@Test
	void wordOfAProgramThatIsVeryLongIsNotCompared() {
		String name = "a".repeat(190);
		assertThat(Nearest.to(name + "b".repeat(10), List.of(name))).isEqualTo(name);
		assertThat(Nearest.to(name + "b".repeat(11), List.of(name))).isNull();
	}

}
