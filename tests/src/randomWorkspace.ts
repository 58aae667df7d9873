import { numbers } from "../../tools/testing/randomNumbers.ts"
import { PipelinesSource } from "./PipelinesSource.ts"
import { sharedServer, Tenant } from "./Tenant.ts"

/** The number of events, and of other calls, that fill a workspace. */
const callsMax = 120

/** Draws from a seed: the same seed gives the same draws. */
class Draws {
  readonly below: (max: number) => number

  constructor(seed: number) {
    this.below = numbers(seed)
  }

  of<A>(first: A, ...others: ReadonlyArray<A>): A {
    return [first, ...others][this.below(others.length + 1)] ?? first
  }

  /** A time in the last 20 days, or long before, with milliseconds. */
  time(now: number): string {
    return new Date(now - this.of(20, 3000, 19_000) * this.below(86_400_000)).toISOString()
  }
}

const values = (draws: Draws) =>
  draws.of<unknown>(
    "pro",
    "",
    7,
    -1.5,
    true,
    null,
    'a,b\n"c"',
    "\u65E5\u672C\u{1F600}",
    { a: [1, { b: "\u0000" }] },
    [],
  )

const attributes = (draws: Draws): object =>
  Object.fromEntries(
    Array.from({ length: draws.below(4) }, () => [
      draws.of("plan", "a.b", "__proto__", "size", "\u00E9"),
      values(draws),
    ]),
  )

/** A person, of whom some have only an email. */
const person = (draws: Draws) => {
  const number = draws.below(12)
  return number % 4 === 0 ? { email: `only${number}@example.com` } : { id: `p${number}` }
}

const entity = (draws: Draws, now: number): object => {
  const on = { type: "person", identifiers: person(draws) }
  const object = { object_type_id: draws.of("1", "2"), object_id: draws.of("acme", "init", "umbrella") }
  switch (draws.below(10)) {
    case 0:
      return {
        ...on,
        action: "identify",
        attributes: { ...attributes(draws), created_at: draws.below(2_000_000_000) },
      }
    case 1:
      return {
        ...on,
        action: "identify",
        attributes: { unsubscribed: draws.of(true, false), anonymous_id: `v${draws.below(3)}` },
      }
    case 2:
      return {
        ...on,
        action: "identify",
        attributes: {
          svc_subscription_preferences: {
            topics: { [draws.of("topic_1", "topic_2")]: draws.of(true, false) },
          },
        },
      }
    case 3:
      return {
        ...on,
        action: "add_device",
        device: {
          token: `token ${draws.below(9)}`,
          platform: draws.of("ios", "android"),
          attributes: attributes(draws),
          ...(draws.below(2) === 0 ? {} : { last_used: draws.time(now) }),
        },
      }
    case 4:
      return {
        ...on,
        action: "add_relationships",
        svc_relationships: [{ identifiers: object, relationship_attributes: attributes(draws) }],
      }
    case 5:
      return { type: "object", action: "identify", identifiers: object, attributes: attributes(draws) }
    case 6:
      return {
        type: "person",
        action: "event",
        identifiers: { anonymous_id: `v${draws.below(5)}` },
        name: "seen",
        attributes: attributes(draws),
      }
    default:
      return {
        ...on,
        action: draws.of("event", "page", "screen"),
        name: draws.of("bought", "left", "https://example.com/?a=1"),
        attributes: attributes(draws),
        ...(draws.below(2) === 0 ? {} : { timestamp: draws.time(now) }),
        ...(draws.below(2) === 0 ? {} : { id: `event ${draws.below(100)}` }),
      }
  }
}

/** Fills a new workspace with what a seed draws. Two of its segments have the same name. */
export const randomWorkspace = async (seed: number): Promise<Tenant> => {
  const draws = new Draws(seed)
  const now = Date.now()
  const tenant = await Tenant.create()
  const answer = await tenant.batch(Array.from({ length: callsMax }, () => entity(draws, now)))
  if (answer.status !== 200) throw new Error(answer.text)
  const source = await PipelinesSource.forWorkspace(sharedServer, tenant.workspace)
  const batch = Array.from({ length: 20 }, (_, i) => ({
    type: "track",
    userId: `p${draws.below(14)}`,
    event: "clicked",
    messageId: `message ${i}`,
    originalTimestamp: draws.time(now),
    sentAt: draws.time(now),
    properties: attributes(draws),
  }))
  const sent = await source.post("batch", { batch })
  if (sent.status !== 200) throw new Error(sent.text)
  for (const name of ["twins", "twins", "others"]) {
    const segment = await tenant.createSegment(name)
    const ids = Array.from({ length: draws.below(6) }, () => `p${draws.of(1, 2, 3, 5, 6, 7)}`)
    if (ids.length > 0)
      await tenant.track("POST", `/api/v1/segments/${segment}/add_customers`, { ids: [...new Set(ids)] })
  }
  return tenant
}
