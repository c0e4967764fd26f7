package io.psych.sandbox.samples.agent.shop;

import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * One order.
 *
 * @param id the number of the order, such as {@code A-1001}
 * @param customerId who placed it
 * @param status where it stands
 * @param placed the day it was placed
 * @param item what was ordered
 * @param quantity how many of it
 * @param total the price of all of them, in euros
 * @param weight the weight of all of them, in kilograms
 */
record Order(String id, String customerId, OrderStatus status, LocalDate placed, String item, int quantity,
		BigDecimal total, BigDecimal weight) {

}
