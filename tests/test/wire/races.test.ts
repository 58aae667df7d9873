import { afterAll, describe, expect, it } from "vitest"
import { expectTrackSuccess } from "../../src/expectAnswer.ts"
import { fresh, freshEmail } from "../../src/fresh.ts"
import { batch, entity, event, identify, pipelines, track } from "../../src/ingestion.ts"
import { Inlet } from "../../src/Inlet.ts"
import { Management } from "../../src/Management.ts"

const inlet = await Inlet.start()
afterAll(() => inlet.stop())
const management = new Management(inlet)

const numbers = Array.from({ length: 40 }, (_, n) => n)

const items = (id: string) =>
  Array.from({ length: 20 }, (_, n) => ({
    type: "person",
    identifiers: { id },
    action: "identify",
    attributes: { n },
  }))

const someone = (id: string) => ({ type: "person", identifiers: { id } })

describe("concurrent requests", () => {
  it("40 concurrent identifies of an unknown person on all protocols create one person", async () => {
    const id = fresh("p")
    const answers = await Promise.all(
      numbers.map((n) => {
        const attributes = { [`a${n}`]: n }
        if (n % 3 === 0) return identify(inlet, id, attributes)
        if (n % 3 === 1) return pipelines(inlet, "/v1/identify", { userId: id, traits: attributes })
        return entity(inlet, { type: "person", identifiers: { id }, action: "identify", attributes })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const person = await management.person({ id })
    expect(person.attributes).toEqual(Object.fromEntries(numbers.map((n) => [`a${n}`, n])))
    const created = (await management.activity({}, person.svc_id)).filter(
      ({ outcome }) => outcome === "created",
    )
    expect(created).toHaveLength(1)
  })

  it("only one of several concurrent events with the same id is stored", async () => {
    const [id, name, key] = [fresh("p"), fresh("e"), fresh("key")]
    const item = { type: "person", identifiers: { id }, action: "event", name, id: key }
    const answers = await Promise.all(
      numbers.map((n) => {
        if (n % 4 === 0) return event(inlet, id, { name, id: key })
        if (n % 4 === 1) return entity(inlet, item)
        if (n % 4 === 2) return batch(inlet, [item, item])
        return pipelines(inlet, "/v1/track", { userId: id, event: name, messageId: key })
      }),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await management.event(name)).id).toBe(key)
  })

  it("if 40 identifies claim an email at once, exactly one of the 40 people gets the email", async () => {
    const email = freshEmail()
    const ids = numbers.map(() => fresh("p"))
    for (const answer of await Promise.all(ids.map((id) => identify(inlet, id, { email }))))
      expectTrackSuccess(answer)
    const owner = await management.person({ email })
    expect(ids).toContain(owner.id)
    const found = await Promise.all(ids.map((id) => management.person({ id })))
    expect(new Set(found.map(({ svc_id }) => svc_id)).size).toBe(ids.length)
    expect(found.filter((person) => person.email !== null)).toEqual([owner])
  })

  it("if 40 identifies claim an anonymous id at once, one of the 40 people gets the anonymous id and the visitor's events", async () => {
    const [anonymous_id, name] = [fresh("v"), fresh("e")]
    await track(inlet, "POST", "/api/v1/events", { name, anonymous_id })
    const ids = numbers.map(() => fresh("p"))
    await Promise.all(ids.map((id) => identify(inlet, id, { anonymous_id })))
    const owner = await management.person({ anonymous_id })
    expect((await management.event(name)).subject.svc_id).toBe(owner.svc_id)
    const found = await Promise.all(ids.map((id) => management.person({ id })))
    expect(found.filter(({ anonymous_ids }) => anonymous_ids.length > 0)).toEqual([owner])
  })

  it("concurrent deletes and identifies leave at most one person", async () => {
    const id = fresh("p")
    await Promise.all(
      numbers.map((n) =>
        n % 2 === 0 ? identify(inlet, id, { n }) : track(inlet, "DELETE", `/api/v1/customers/${id}`),
      ),
    )
    expect((await management.people({ id })).length).toBeLessThanOrEqual(1)
    await track(inlet, "DELETE", `/api/v1/customers/${id}`)
    expect(await management.people({ id })).toEqual([])
    await identify(inlet, id, {})
    expect((await management.person({ id })).attributes).toEqual({})
  })

  it("1000 concurrent v1 identifies of an unknown person create one person", async () => {
    const id = fresh("p")
    const all = Array.from({ length: 1000 }, (_, n) => n)
    const answers = await Promise.all(all.map((n) => identify(inlet, id, { [`a${n % 100}`]: 1, last: n })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const { attributes, svc_id } = await management.person({ id })
    expect(Object.keys(attributes)).toHaveLength(101)
    const entries = await management.activity({}, svc_id)
    expect(entries).toHaveLength(1000)
    expect(entries.filter(({ outcome }) => outcome === "created")).toHaveLength(1)
  })

  it("concurrent merges in both directions leave one person with the attributes of both people", async () => {
    const pairs = Array.from({ length: 100 }, () => [fresh("a"), fresh("b")] as const)
    await batch(
      inlet,
      pairs.flat().map((id) => ({ ...someone(id), action: "identify", attributes: { [id[0] ?? ""]: 1 } })),
    )
    const merge = (primary: string, secondary: string) =>
      track(inlet, "POST", "/api/v1/merge_customers", {
        primary: { id: primary },
        secondary: { id: secondary },
      })
    const answers = await Promise.all(pairs.flatMap(([a, b]) => [merge(a, b), merge(b, a), merge(a, b)]))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    for (const [a, b] of pairs) {
      const left = [...(await management.people({ id: a })), ...(await management.people({ id: b }))]
      expect(left.map(({ attributes }) => attributes)).toEqual([{ a: 1, b: 1 }])
    }
  })

  it("concurrent merges in a ring, with events, devices and suppressions, leave a consistent state", async () => {
    const ids = numbers.map(() => fresh("p"))
    const next = (n: number) => ids[(n + 1) % ids.length] ?? ""
    await batch(
      inlet,
      ids.map((id) => ({ ...someone(id), action: "identify" })),
    )
    const answers = await Promise.all(
      ids.flatMap((id, n) => [
        entity(inlet, { type: "person", action: "merge", primary: { id }, secondary: { id: next(n) } }),
        event(inlet, id, { name: "e" }),
        entity(inlet, {
          ...someone(id),
          action: "add_device",
          device: { token: "shared", platform: "ios" },
        }),
        entity(inlet, {
          type: "object",
          action: "identify",
          identifiers: { object_id: "ring" },
          svc_relationships: [{ identifiers: { id } }, { identifiers: { id: next(n) } }],
        }),
        entity(inlet, { ...someone(id), action: n % 10 === 0 ? "suppress" : "identify" }),
      ]),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const left = (await Promise.all(ids.map((id) => management.people({ id })))).flat()
    expect(left.filter(({ devices }) => devices.length > 0).length).toBeLessThanOrEqual(1)
    const related = await management.peopleOfObject("1", "ring")
    expect(new Set(related.map(({ svc_id }) => svc_id)).size).toBe(related.length)
    expect(related.every(({ svc_id }) => left.some((person) => person.svc_id === svc_id))).toBe(true)
  })

  it("concurrent batches each apply their own items in order", async () => {
    const ids = numbers.map(() => fresh("p"))
    for (const answer of await Promise.all(ids.map((id) => batch(inlet, items(id)))))
      expectTrackSuccess(answer)
    for (const id of ids) {
      const person = await management.person({ id })
      expect(person.attributes).toEqual({ n: 19 })
      const steps = await management.activity({ order: "asc" }, person.svc_id)
      expect(steps.map(({ data }) => data)).toEqual(Array.from({ length: 20 }, (_, n) => ({ n })))
    }
  })
})
