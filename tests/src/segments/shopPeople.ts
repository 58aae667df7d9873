import type { Answer } from "../http.ts"

/** The number of people of the shop. */
export const shoppers = 240

const plans = ["free", "free", "free", "pro", "team"]
const countries = ["DE", "DE", "FR", "US", "BR"]
const pages = ["/", "/pricing", "/pricing/team", "/docs/start", "/blog/launch"]

const daysAgo = (days: number): number => Math.floor(Date.now() / 1000) - days * 86_400

const pick = <Item>(items: ReadonlyArray<Item>, n: number): Item => {
  const item = items[n % items.length]
  if (item === undefined) throw new Error("there is nothing to choose from")
  return item
}

interface Item {
  readonly [key: string]: unknown
}

/** What one shopper did: a plan, some orders in the last weeks, page views with full addresses, and for some a company. */
const itemsOf = (n: number): ReadonlyArray<Item> => {
  const identifiers = { id: `shopper-${n}` }
  const person = { type: "person", identifiers }
  const orders = n % 4
  return [
    {
      ...person,
      action: "identify",
      attributes: {
        email: `shopper-${n}@example.com`,
        plan: pick(plans, n),
        country: pick(countries, n * 3),
        created_at: daysAgo(5 + ((n * 7) % 400)),
        address: { city: pick(["Berlin", "Lyon", "Austin"], n) },
        ...(n % 3 === 0 ? { svc_subscription_preferences: { topics: { news: n % 2 === 0 } } } : {}),
      },
    },
    ...Array.from({ length: orders }, (_, i) => ({
      ...person,
      action: "event",
      name: "Order Placed",
      timestamp: daysAgo(1 + ((n + i * 9) % 40)),
      attributes: {
        total: 20 + ((n * 37 + i * 53) % 230),
        currency: n % 5 === 0 ? "USD" : "EUR",
        items: [{ sku: `sku-${n % 7}` }],
      },
    })),
    ...Array.from({ length: n % 3 }, (_, i) => ({
      ...person,
      action: "page",
      name: `https://shop.example${pick(pages, n + i)}`,
      timestamp: daysAgo((n + i) % 12),
      attributes: { referrer: "https://search.example/" },
    })),
    ...(n % 9 === 0
      ? [{ ...person, action: "event", name: "Subscription Cancelled", timestamp: daysAgo(n % 60) }]
      : []),
    ...(n % 6 === 0
      ? [
          {
            type: "object",
            action: "identify",
            identifiers: { object_type_id: "1", object_id: `company-${n % 12}` },
            attributes: { name: `Company ${n % 12}`, seats: 5 * (n % 12) },
            cio_relationships: [
              { identifiers, relationship_attributes: { role: n % 2 === 0 ? "admin" : "member" } },
            ],
          },
        ]
      : []),
  ]
}

/** The most items of a batch. */
const batchItems = 500

/** Fills a workspace with the people of a shop. */
export const shopPeople = async (send: (items: ReadonlyArray<Item>) => Promise<Answer>): Promise<void> => {
  const items = Array.from({ length: shoppers }, (_, n) => itemsOf(n)).flat()
  for (let from = 0; from < items.length; from += batchItems) {
    const answer = await send(items.slice(from, from + batchItems))
    if (answer.status !== 200) throw new Error(`the shop is not filled: ${answer.status} ${answer.text}`)
  }
}
