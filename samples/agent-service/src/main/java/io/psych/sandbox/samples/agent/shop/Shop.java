package io.psych.sandbox.samples.agent.shop;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

import org.springframework.stereotype.Component;

/**
 * What the shop knows: a dozen customers and three dozen orders, always the same.
 */
@Component
final class Shop {

	private static final List<Customer> CUSTOMERS = List.of(
			new Customer("C-01", "Kontor Nordlicht", "Hamburg", "DE", "gold"),
			new Customer("C-02", "Atelier Brun", "Lyon", "FR", "silver"),
			new Customer("C-03", "Fjord Kaffe", "Bergen", "NO", "gold"),
			new Customer("C-04", "Bottega Sole", "Verona", "IT", "basic"),
			new Customer("C-05", "Zumtobel & Sohn", "Graz", "AT", "silver"),
			new Customer("C-06", "Café Lumière", "Gent", "BE", "basic"),
			new Customer("C-07", "Harbour Roasters", "Cork", "IE", "gold"),
			new Customer("C-08", "Casa Marisol", "Sevilla", "ES", "silver"),
			new Customer("C-09", "Młyn Stary", "Gdańsk", "PL", "basic"),
			new Customer("C-10", "De Gouden Boon", "Utrecht", "NL", "gold"),
			new Customer("C-11", "Kavárna Orel", "Brno", "CZ", "basic"),
			new Customer("C-12", "Rådhuskaféen", "Aarhus", "DK", "silver"));

	private static final List<Order> ORDERS = List.of(
			order("A-1001", "C-08", OrderStatus.SHIPPED, "2026-09-04", "Green coffee, sack of 60 kg", 6, "2472.00",
					"363.0"),
			order("A-1002", "C-04", OrderStatus.SHIPPED, "2026-09-05", "Scale with timer", 2, "116.00", "1.4"),
			order("A-1003", "C-08", OrderStatus.PAID, "2026-09-05", "Espresso machine, two groups", 2, "7780.00",
					"124.0"),
			order("A-1004", "C-08", OrderStatus.SHIPPED, "2026-09-08", "Cupping bowls, set of 12", 4, "384.00", "19.2"),
			order("A-1005", "C-02", OrderStatus.OPEN, "2026-09-09", "Cupping bowls, set of 12", 3, "288.00", "14.4"),
			order("A-1006", "C-09", OrderStatus.OPEN, "2026-09-09", "Cupping bowls, set of 12", 1, "96.00", "4.8"),
			order("A-1007", "C-10", OrderStatus.OPEN, "2026-09-09", "Burr grinder", 4, "2596.00", "50.0"),
			order("A-1008", "C-05", OrderStatus.PAID, "2026-09-09", "Tamper, 58 mm", 1, "42.00", "0.6"),
			order("A-1009", "C-11", OrderStatus.OPEN, "2026-09-10", "Espresso machine, two groups", 1, "3890.00",
					"62.0"),
			order("A-1010", "C-01", OrderStatus.CANCELLED, "2026-09-12", "Water softener", 4, "756.00", "20.8"),
			order("A-1011", "C-07", OrderStatus.CANCELLED, "2026-09-13", "Burr grinder", 2, "1298.00", "25.0"),
			order("A-1012", "C-06", OrderStatus.SHIPPED, "2026-09-14", "Burr grinder", 2, "1298.00", "25.0"),
			order("A-1013", "C-01", OrderStatus.PAID, "2026-09-15", "Tamper, 58 mm", 1, "42.00", "0.6"),
			order("A-1014", "C-04", OrderStatus.OPEN, "2026-09-15", "Burr grinder", 1, "649.00", "12.5"),
			order("A-1015", "C-08", OrderStatus.OPEN, "2026-09-18", "Water softener", 1, "189.00", "5.2"),
			order("A-1016", "C-04", OrderStatus.SHIPPED, "2026-09-19", "Water softener", 2, "378.00", "10.4"),
			order("A-1017", "C-07", OrderStatus.SHIPPED, "2026-09-21", "Tamper, 58 mm", 1, "42.00", "0.6"),
			order("A-1018", "C-07", OrderStatus.OPEN, "2026-09-22", "Filter papers, box of 1000", 1, "31.90", "2.1"),
			order("A-1019", "C-10", OrderStatus.PAID, "2026-09-23", "Cupping bowls, set of 12", 1, "96.00", "4.8"),
			order("A-1020", "C-03", OrderStatus.OPEN, "2026-09-23", "Tamper, 58 mm", 1, "42.00", "0.6"),
			order("A-1021", "C-03", OrderStatus.OPEN, "2026-09-24", "Filter papers, box of 1000", 6, "191.40", "12.6"),
			order("A-1022", "C-01", OrderStatus.OPEN, "2026-09-26", "Green coffee, sack of 60 kg", 2, "824.00",
					"121.0"),
			order("A-1023", "C-02", OrderStatus.PAID, "2026-09-27", "Burr grinder", 1, "649.00", "12.5"),
			order("A-1024", "C-10", OrderStatus.OPEN, "2026-09-30", "Filter papers, box of 1000", 1, "31.90", "2.1"),
			order("A-1025", "C-06", OrderStatus.SHIPPED, "2026-10-01", "Green coffee, sack of 60 kg", 6, "2472.00",
					"363.0"),
			order("A-1026", "C-10", OrderStatus.PAID, "2026-10-03", "Water softener", 1, "189.00", "5.2"),
			order("A-1027", "C-03", OrderStatus.PAID, "2026-10-04", "Drip kettle", 2, "159.00", "2.8"),
			order("A-1028", "C-10", OrderStatus.PAID, "2026-10-05", "Filter papers, box of 1000", 2, "63.80", "4.2"),
			order("A-1029", "C-12", OrderStatus.PAID, "2026-10-07", "Scale with timer", 2, "116.00", "1.4"),
			order("A-1030", "C-08", OrderStatus.SHIPPED, "2026-10-07", "Burr grinder", 4, "2596.00", "50.0"),
			order("A-1031", "C-02", OrderStatus.OPEN, "2026-10-10", "Burr grinder", 1, "649.00", "12.5"),
			order("A-1032", "C-05", OrderStatus.OPEN, "2026-10-11", "Filter papers, box of 1000", 4, "127.60", "8.4"),
			order("A-1033", "C-07", OrderStatus.CANCELLED, "2026-10-14", "Water softener", 2, "378.00", "10.4"),
			order("A-1034", "C-03", OrderStatus.CANCELLED, "2026-10-15", "Burr grinder", 1, "649.00", "12.5"),
			order("A-1035", "C-08", OrderStatus.SHIPPED, "2026-10-16", "Scale with timer", 1, "58.00", "0.7"),
			order("A-1036", "C-04", OrderStatus.SHIPPED, "2026-10-16", "Filter papers, box of 1000", 1, "31.90",
					"2.1"));

	List<Customer> customers() {
		return CUSTOMERS;
	}

	List<Order> orders() {
		return ORDERS;
	}

	Optional<Customer> customer(String id) {
		return CUSTOMERS.stream().filter((customer) -> customer.id().equals(id)).findFirst();
	}

	Optional<Order> order(String id) {
		return ORDERS.stream().filter((order) -> order.id().equals(id)).findFirst();
	}

	private static Order order(String id, String customerId, OrderStatus status, String placed, String item,
			int quantity, String total, String weight) {
		return new Order(id, customerId, status, LocalDate.parse(placed), item, quantity, new BigDecimal(total),
				new BigDecimal(weight));
	}

}
