"""Which large orders still have to go out, to whom, and what does shipping cost?"""
import asyncio

open_orders, paid_orders = await asyncio.gather(
    list_orders(status="OPEN"), list_orders(status="PAID"))
large = [order for order in open_orders + paid_orders if order["total"] >= 500]
print(f"{len(open_orders)} open and {len(paid_orders)} paid orders, {len(large)} of 500 EUR or more")

customer_ids = sorted({order["customerId"] for order in large})
customers, quotes = await asyncio.gather(
    asyncio.gather(*(get_customer(id=number) for number in customer_ids)),
    asyncio.gather(*(shipping_quote(order=order["id"]) for order in large)))
customer_of = dict(zip(customer_ids, customers))

report = [
    {
        "order": order["id"],
        "customer": customer_of[order["customerId"]]["name"],
        "country": customer_of[order["customerId"]]["country"],
        "total": order["total"],
        "shipping": quote["price"],
        "days": quote["days"],
    }
    for order, quote in zip(large, quotes)
    if quote["price"] <= 0.05 * order["total"]
]
report.sort(key=lambda row: row["total"], reverse=True)
print(f"{len(report)} of them ship for 5 % of their price or less")
report
