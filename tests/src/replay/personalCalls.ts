import type { Json } from "@inlethq/core/values/Json"
import type { numbers } from "../../../tools/testing/randomNumbers.ts"
import type { SentCall } from "./wireCalls.ts"

/*
 * Calls in which every value that a client chooses is personal: identifiers, attributes, tokens, platforms, types and ids of
 * objects, names of segments and forms, titles of pages, reasons, addresses and keys, in several scripts.
 */

type Random = ReturnType<typeof numbers>
type Fields = Readonly<Record<string, Json>>

const ids = ["ada lovelace/1815", "Αναξίμανδρος", "٤٩١٧٠١٢٣٤٥٦", "पाणिनि", "山田太郎", "i-79927398713"]
const emails = ["Ada@analytical.example", "hypatia@αλεξάνδρεια.example", "müller.49170@post.example"]
const anonymousIds = ["visitor-5f2a91", "Ⅷ½ гость семь"]
const tokens = ["tok/9f8e7d6c", "τεκμήριο-7"]
const platforms = ["ios of ada", "アンドロイド"]
const objectTypes = ["family-7421", "домохозяйство"]
const objectIds = ["flat 12b baker st", "家-0091"]
const deliveries = ["dlv-ada-5512", "доставка-8"]
const forms = ["newsletter of ada", "φόρμα-της-άδας"]
const titles = ["Letters to Charles", "Страница Ады"]
const addresses = ["ada.mobile+491701234567", "πατρίδα 12345"]
const times = ["1815-12-10", "2003-04-15 Ada was born here"]
const texts = ["hunter2!", "Ωμέγα ψηφίο ٧٨٩٠", "👩‍🚀🧬 astronaut", "ไทยแลนด์ ๑๒๓๔"]
const numbersSent = [
  4_915_112_345_678, 491_701_234_567, 2_147_483_648_123_456, 6.931_234, 78_051_120, 1.234_567_891e22,
]

/** What may stand in no capsule. */
export const personalTexts: ReadonlyArray<string> = [
  ids,
  emails,
  anonymousIds,
  tokens,
  platforms,
  objectTypes,
  objectIds,
  deliveries,
  forms,
  titles,
  addresses,
  times,
  texts,
  numbersSent.map(String),
  ["friends of ada 1815", "друзья ады", "trigger-ada-77"],
  ["ada was born", "491701234567", "hunter2", "٧٨٩٠", "ไทย", "๑๒๓๔", "🧬"],
].flat()

const one = <A>(random: Random, of: ReadonlyArray<A>): A => {
  const found = of[random(of.length)]
  if (found === undefined) throw new RangeError("nothing to choose from")
  return found
}

const some = (random: Random, n: number, fields: () => Fields): Fields => (random(n) === 0 ? fields() : {})

const post = (path: string, body: Fields): SentCall => ({ method: "POST", path, body })

const valueOf = (random: Random): Json =>
  one<() => Json>(random, [
    () => one(random, texts),
    () => one(random, numbersSent),
    () => one(random, times),
    () => ({ nested: [one(random, texts), { [one(random, emails)]: one(random, numbersSent) }] }),
  ])()

const attributesOf = (random: Random): Fields => ({
  [one(random, ["plan", "city", "phone"])]: valueOf(random),
  ...some(random, 3, () => ({ [one(random, emails)]: valueOf(random) })),
})

const objectOf = (random: Random): Fields => ({
  object_type_id: one(random, objectTypes),
  object_id: one(random, objectIds),
})

const whoOf = (random: Random): Fields =>
  one<() => Fields>(random, [
    () => ({ id: one(random, ids) }),
    () => ({ id: one(random, ids) }),
    () => ({ email: one(random, emails) }),
    () => ({ anonymous_id: one(random, anonymousIds) }),
  ])()

const identifyOf = (random: Random): Fields => ({
  ...attributesOf(random),
  ...some(random, 3, () => ({ email: one(random, emails) })),
  ...some(random, 4, () => ({ id: one(random, ids) })),
  ...some(random, 4, () => ({ anonymous_id: one(random, anonymousIds) })),
  ...some(random, 6, () => ({ created_at: valueOf(random) })),
})

const deviceOf = (random: Random): Fields => ({
  token: one(random, tokens),
  platform: one(random, platforms),
  ...attributesOf(random),
})

const person = (random: Random, action: string, fields: Fields): SentCall =>
  post("/v2/entity", { type: "person", action, identifiers: whoOf(random), ...fields })

const makers: ReadonlyArray<(random: Random) => SentCall> = [
  (random) => person(random, "identify", { attributes: identifyOf(random) }),
  (random) => person(random, "identify", { attributes: identifyOf(random) }),
  (random) =>
    person(random, "identify", {
      attributes: identifyOf(random),
      svc_relationships: [{ identifiers: objectOf(random), relationship_attributes: attributesOf(random) }],
    }),
  (random) => person(random, "add_device", { device: deviceOf(random) }),
  (random) => person(random, "delete_device", { device: { token: one(random, tokens) } }),
  (random) =>
    person(random, "event", {
      name: "bought",
      attributes: attributesOf(random),
      ...some(random, 3, () => ({ id: one(random, addresses) })),
    }),
  (random) =>
    person(random, one(random, ["page", "screen"]), {
      name: one(random, titles),
      attributes: attributesOf(random),
    }),
  (random) =>
    post("/v2/entity", {
      type: "object",
      action: "identify",
      identifiers: objectOf(random),
      attributes: attributesOf(random),
      svc_relationships: [
        { identifiers: { id: one(random, ids) }, relationship_attributes: attributesOf(random) },
      ],
    }),
  (random) =>
    person(random, one(random, ["add_relationships", "delete_relationships"]), {
      svc_relationships: [{ identifiers: objectOf(random), relationship_attributes: attributesOf(random) }],
    }),
  (random) =>
    post("/api/v1/merge_customers", {
      primary: { id: one(random, ids) },
      secondary: one(random, [{ email: one(random, emails) }, { id: one(random, ids) }]),
    }),
  (random) =>
    post("/api/v1/metrics", {
      delivery_id: one(random, deliveries),
      metric: one(random, ["opened", "clicked", "bounced"]),
      recipient: one(random, addresses),
      reason: one(random, texts),
      href: one(random, titles),
      metadata: { action_name: one(random, texts), action_value: one(random, texts) },
    }),
  (random) =>
    post(`/api/v1/forms/${encodeURIComponent(one(random, forms))}/submit`, {
      data: { email: one(random, emails), plan: one(random, texts), form_name: one(random, titles) },
    }),
  (random) =>
    post(`/api/v1/segments/1/${one(random, ["add", "remove"])}_customers?id_type=id`, {
      ids: [one(random, ids), one(random, ids)],
    }),
  (random) =>
    post("/v1/identify", {
      userId: one(random, ids),
      traits: identifyOf(random),
      context: { ip: "10.20.30.40", device: { token: one(random, tokens), type: one(random, platforms) } },
    }),
  (random) => post("/v1/alias", { userId: one(random, ids), previousId: one(random, anonymousIds) }),
]

/** Returns a random call full of personal values, about few people and objects. */
export const personalCall = (random: Random): SentCall => one(random, makers)(random)
