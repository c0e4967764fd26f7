package io.psych.sandbox.samples.agent.shop;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.annotation.ToolParam;
import org.springframework.stereotype.Component;

/**
 * The tools that ask for orders and customers.
 */
@Component
final class ShopTools {

	private final Shop shop;

	ShopTools(Shop shop) {
		this.shop = shop;
	}

	@Tool(name = "list_orders", description = """
			Lists orders, oldest first. Each has id, customerId, status, placed (date), item, quantity, \
			total (euros) and weight (kilograms).""")
	List<Order> listOrders(@ToolParam(required = false,
			description = "Only orders of this status; all of them when left out.") @Nullable OrderStatus status) {
		return this.shop.orders().stream().filter((order) -> status == null || order.status() == status).toList();
	}

	@Tool(name = "get_customer",
			description = "Gets one customer: id, name, city, country (two letters) and tier (gold, silver, basic).")
	Customer getCustomer(@ToolParam(description = "Number of the customer, such as C-01.") String id) {
		return this.shop.customer(id)
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no customer " + id + "; numbers run from " + this.shop.customers().get(0).id() + " to "
							+ this.shop.customers().get(this.shop.customers().size() - 1).id() + "."));
	}

}
