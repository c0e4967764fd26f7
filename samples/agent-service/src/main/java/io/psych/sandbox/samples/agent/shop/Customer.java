package io.psych.sandbox.samples.agent.shop;

/**
 * One customer.
 *
 * @param id the number of the customer, such as {@code C-01}
 * @param name the name
 * @param city the city goods are delivered to
 * @param country the country, as a code of two letters
 * @param tier how the customer is served: {@code gold}, {@code silver} or {@code basic}
 */
record Customer(String id, String name, String city, String country, String tier) {

}
