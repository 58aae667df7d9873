import { numbers } from "../../../tools/testing/randomNumbers.ts"

const values = ["pro", "", 7, -1.5, true, null, 'a,b\n"c"', "\u65E5\u672C\u{1F600}", { a: [1, { b: 2 }] }, []]

/** Calls that erase some of the people whom `randomCalls` draws, one of them only by email. */
export const erasingCalls: ReadonlyArray<object> = [
  { type: "person", identifiers: { id: "p1" }, action: "delete" },
  { type: "person", identifiers: { id: "p2" }, action: "suppress" },
  { type: "person", identifiers: { id: "p3" }, action: "suppress" },
  { type: "person", identifiers: { id: "p3" }, action: "unsuppress" },
  { type: "person", identifiers: { email: "only5@example.com" }, action: "delete" },
  { type: "person", identifiers: { id: "p1" }, action: "identify", attributes: { plan: "again" } },
  { type: "person", identifiers: { id: "p2" }, action: "identify", attributes: { plan: "ignored" } },
]

/**
 * Returns a function that draws calls of the Track API v2 which a forward can say in full. None of them erases anybody, because
 * what was not sent of somebody never is, and so what others had from them would differ.
 */
export const randomCalls = (seed: number): ((now: number) => object) => {
  const below = numbers(seed)
  const of = <A>(all: ReadonlyArray<A>): A | undefined => all[below(all.length)]
  const attributes = () =>
    Object.fromEntries(
      Array.from({ length: below(4) }, () => [of(["plan", "size", "city", "\u00E9"]), of(values)]),
    )
  const person = () => {
    const number = below(14)
    return number % 5 === 0 ? { email: `only${number}@example.com` } : { id: `p${number}` }
  }
  const object = () => ({ object_type_id: of(["1", "2"]), object_id: of(["acme", "init", "umbrella"]) })
  let events = 0

  const aboutPerson = (now: number): object => {
    const on = { type: "person", identifiers: person() }
    switch (below(12)) {
      case 0:
        return {
          ...on,
          action: "identify",
          attributes: { ...attributes(), created_at: below(2_000_000_000) },
        }
      case 1:
        return { ...on, action: "identify", attributes: { anonymous_id: `v${below(4)}` } }
      case 2:
        return {
          ...on,
          action: "identify",
          attributes: attributes(),
          timestamp: Math.floor(now / 1000) - below(100),
        }
      case 3:
        return {
          ...on,
          action: "add_device",
          device: {
            token: `token${below(9)}`,
            platform: of(["ios", "android"]),
            last_used: Math.floor(now / 1000) - below(1000),
          },
        }
      case 4:
        return { ...on, action: "delete_device", device: { token: `token${below(9)}` } }
      case 5:
        return {
          ...on,
          action: "add_relationships",
          svc_relationships: [{ identifiers: object(), relationship_attributes: attributes() }],
        }
      case 6:
        return { ...on, action: "delete_relationships", svc_relationships: [{ identifiers: object() }] }
      case 7:
        return { ...on, action: "event", name: "left", attributes: { n: events++ } }
      default:
        return {
          ...on,
          action: of(["event", "event", "page", "screen"]),
          name: of(["bought", "seen", "https://example.com/?a=1"]),
          attributes: { ...attributes(), n: events++ },
        }
    }
  }

  return (now) => {
    switch (below(14)) {
      case 0:
        return { type: "person", action: "merge", primary: person(), secondary: person() }
      case 1:
        return { type: "object", action: "identify", identifiers: object(), attributes: attributes() }
      case 2:
        return {
          type: "object",
          action: of(["identify", "add_relationships", "delete_relationships"]),
          identifiers: object(),
          svc_relationships: [{ identifiers: person() }, { identifiers: person() }],
        }
      case 3:
        return below(4) === 0
          ? { type: "object", action: "delete", identifiers: object() }
          : { type: "object", action: "identify", identifiers: object(), svc_relationships: [] }
      case 4:
        return {
          type: "person",
          action: "event",
          identifiers: { anonymous_id: `v${below(4)}` },
          name: "seen",
          attributes: { n: events++ },
        }
      default:
        return aboutPerson(now)
    }
  }
}
