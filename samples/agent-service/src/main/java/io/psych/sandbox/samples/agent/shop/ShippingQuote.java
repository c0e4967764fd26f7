package io.psych.sandbox.samples.agent.shop;

import java.math.BigDecimal;

/**
 * What a carrier asks for bringing one order to its customer.
 *
 * @param orderId the order
 * @param carrier the carrier
 * @param price the price, in euros
 * @param days the working days it takes
 */
record ShippingQuote(String orderId, String carrier, BigDecimal price, int days) {

}
