package io.psych.sandbox.samples.agent.shop;

/**
 * Where an order stands.
 */
enum OrderStatus {

	/** Placed and not yet paid. */
	OPEN,

	/** Paid and waiting in the warehouse. */
	PAID,

	/** Handed to a carrier. */
	SHIPPED,

	/** Called off. */
	CANCELLED

}
