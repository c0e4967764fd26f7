package io.psych.sandbox.samples.agent.shop;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import org.springframework.stereotype.Component;

/**
 * A carrier that thinks before it answers. It stands for any slow service behind a tool.
 */
@Component
final class Carrier {

	private static final BigDecimal BASE = new BigDecimal("6.90");

	private static final BigDecimal PER_KILOGRAM = new BigDecimal("0.85");

	private static final BigDecimal ABROAD = new BigDecimal("1.6");

	/** Heavier goods go by the forwarder, on a pallet. */
	private static final BigDecimal PALLET = new BigDecimal("31.5");

	CompletableFuture<ShippingQuote> quote(Order order, Customer customer) {
		Executor afterAWhile = CompletableFuture.delayedExecutor(thinkingTime(order).toMillis(), TimeUnit.MILLISECONDS);
		return CompletableFuture.supplyAsync(() -> price(order, customer), afterAWhile);
	}

	/** Between 250 and 450 milliseconds, the same for the same order. */
	private static Duration thinkingTime(Order order) {
		return Duration.ofMillis(250 + Math.floorMod(order.id().hashCode(), 200));
	}

	private static ShippingQuote price(Order order, Customer customer) {
		boolean abroad = !"DE".equals(customer.country());
		boolean pallet = order.weight().compareTo(PALLET) > 0;
		BigDecimal price = BASE.add(order.weight().multiply(PER_KILOGRAM));
		price = (abroad) ? price.multiply(ABROAD) : price;
		int days = ((abroad) ? 4 : 2) + ((pallet) ? 2 : 0);
		return new ShippingQuote(order.id(), (pallet) ? "forwarder" : "parcel", price.setScale(2, RoundingMode.HALF_UP),
				days);
	}

}
