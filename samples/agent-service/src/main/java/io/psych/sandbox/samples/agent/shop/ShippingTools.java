package io.psych.sandbox.samples.agent.shop;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/**
 * The tool that asks the carrier. Several hundred milliseconds a call, so a program does
 * well to ask for many quotes at once.
 */
@Component
final class ShippingTools {

	/** Far more than the carrier ever takes. */
	private static final int PATIENCE_SECONDS = 5;

	private final Shop shop;

	private final Carrier carrier;

	ShippingTools(Shop shop, Carrier carrier) {
		this.shop = shop;
		this.carrier = carrier;
	}

	@Tool(name = "shipping_quote", description = """
			Asks the carrier what bringing one order to its customer costs: orderId, carrier, price (euros) and \
			days. Takes some hundred milliseconds a call; ask for several at once.""")
	ShippingQuote shippingQuote(@ToolParam(description = "Number of the order, such as A-1001.") String order)
			throws InterruptedException {
		Order found = this.shop.order(order)
			.orElseThrow(() -> new IllegalArgumentException("There is no order " + order + "; list_orders has all."));
		Customer customer = this.shop.customer(found.customerId()).orElseThrow();
		try {
			return this.carrier.quote(found, customer).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			throw new IllegalStateException("The carrier gave no quote for order " + order + ".", ex);
		}
	}

}
