import { expect } from "vitest"
import type { Answer } from "./http.ts"
import { batch, event, identify, pipelines } from "./ingestion.ts"
import type { Inlet } from "./Inlet.ts"
import type { Management } from "./Management.ts"

/** One request of a writer. */
export interface Work {
  readonly sequence: number
  /** The name of the events that it carries, which no other request has. */
  readonly name: string
  /** The deduplication keys of those events. */
  readonly keys: ReadonlyArray<string>
  readonly send: (inlet: Inlet) => Promise<Answer>
  /** Expects what the request does beside that to be there as well, or not to be there either. */
  readonly check?: (management: Management, applied: boolean) => Promise<void>
}

/** Sends one request after another about a person of its own, and repeats the one that was not acknowledged. */
export class Writer {
  readonly id: string
  /** Whether its requests say how far it came in its person's attribute `last`. */
  readonly identifies: boolean
  readonly expectedKeys: Array<string> = []
  acknowledged = 0
  unsettled: Work | undefined
  readonly #work: (sequence: number) => Work

  constructor(id: string, identifies: boolean, work: (sequence: number) => Work) {
    this.id = id
    this.identifies = identifies
    this.#work = work
  }

  /** Writes until `stopped`, or until a request is not acknowledged. */
  async write(inlet: Inlet, stopped: () => boolean, acknowledged: () => void): Promise<void> {
    while (!stopped()) {
      if (!(await this.#next(inlet))) return
      acknowledged()
    }
  }

  /** Settles what the last crash left open. */
  async settle(inlet: Inlet): Promise<void> {
    if (this.unsettled !== undefined && !(await this.#next(inlet))) throw new Error(`${this.id} is refused`)
  }

  async #next(inlet: Inlet): Promise<boolean> {
    const work = this.unsettled ?? this.#work(this.acknowledged + 1)
    this.unsettled = work
    const answer = await work.send(inlet).catch(() => undefined)
    if (answer === undefined || answer.status === 503) return false
    if (answer.status !== 200) throw new Error(`${this.id}: ${answer.status} ${answer.text}`)
    this.unsettled = undefined
    this.acknowledged = work.sequence
    this.expectedKeys.push(...work.keys)
    return true
  }
}

/** The person whom every batch writes to. */
export const shared = "shared"

const keysOf = (name: string, count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, n) => `${name}/${n}`)

export const v1EventWriter = (id: string): Writer =>
  new Writer(id, false, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, 1)
    return {
      sequence,
      name,
      keys,
      send: (inlet) => event(inlet, id, { name, id: keys[0], data: { sequence } }),
    }
  })

export const v1IdentifyWriter = (id: string): Writer =>
  new Writer(id, true, (sequence) => ({
    sequence,
    name: `${id}-${sequence}`,
    keys: [],
    send: (inlet) => identify(inlet, id, { email: `${id}@example.com`, last: sequence }),
  }))

export const v2BatchWriter = (id: string, size: number): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, size)
    const own = { type: "person", identifiers: { id } }
    const items = [
      { ...own, action: "identify", attributes: { email: `${id}@example.com`, last: sequence } },
      { type: "person", identifiers: { id: shared }, action: "identify", attributes: { [id]: sequence } },
      ...keys.map((key) => ({ ...own, action: "event", name, id: key, attributes: { sequence } })),
    ]
    return { sequence, name, keys, send: (inlet) => batch(inlet, items) }
  })

export const pipelinesBatchWriter = (id: string, size: number): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, size)
    const traits = { email: `${id}@example.com`, last: sequence }
    const items = [
      { type: "identify", userId: id, messageId: `${name}/identify`, traits },
      { type: "identify", userId: shared, messageId: `${name}/shared`, traits: { [id]: sequence } },
      ...keys.map((messageId) => ({
        type: "track",
        userId: id,
        event: name,
        messageId,
        properties: { sequence },
      })),
    ]
    return { sequence, name, keys, send: (inlet) => pipelines(inlet, "/v1/batch", { batch: items }) }
  })

export const pipelinesTrackWriter = (id: string): Writer =>
  new Writer(id, false, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, 1)
    const call = { userId: id, event: name, messageId: keys[0], properties: { sequence } }
    return { sequence, name, keys, send: (inlet) => pipelines(inlet, "/v1/track", call) }
  })

/** Makes somebody, who does something and is merged into the writer's person, all in one request. */
export const mergeWriter = (id: string): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, 1)
    const other = { type: "person", identifiers: { id: name } }
    const own = { type: "person", identifiers: { id } }
    const items = [
      { ...other, action: "identify", attributes: { city: "Bonn" } },
      { ...other, action: "add_device", device: { token: `${id}-device`, platform: "ios", n: sequence } },
      { ...other, action: "event", name, id: keys[0] },
      { ...own, action: "identify", attributes: { email: `${id}@example.com`, last: sequence } },
      { type: "person", action: "merge", primary: { id }, secondary: { id: name } },
    ]
    return {
      sequence,
      name,
      keys,
      send: (inlet) => batch(inlet, items),
      check: async (management, applied) => {
        expect(await management.people({ id: name })).toEqual([])
        if (!applied) return
        const { devices, svc_id } = await management.person({ id })
        expect(devices).toMatchObject([{ token: `${id}-device`, attributes: { n: sequence } }])
        expect(await management.activity({ name }, svc_id)).not.toEqual([])
      },
    }
  })

/** Makes somebody and suppresses them in one request. */
export const suppressionWriter = (id: string): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, 1)
    const other = { type: "person", identifiers: { id: name } }
    const own = { type: "person", identifiers: { id } }
    const items = [
      { ...other, action: "identify", attributes: { city: "Bonn" } },
      { ...other, action: "suppress" },
      { ...own, action: "identify", attributes: { email: `${id}@example.com`, last: sequence } },
      { ...own, action: "event", name, id: keys[0] },
    ]
    return {
      sequence,
      name,
      keys,
      send: (inlet) => batch(inlet, items),
      check: async (management, applied) => {
        expect(await management.people({ id: name })).toEqual([])
        expect(await management.suppressed({ id: name })).toBe(applied)
      },
    }
  })

/** Writes an object and its relationship with the writer's person from both sides in one request. */
export const objectWriter = (id: string): Writer =>
  new Writer(id, true, (sequence) => {
    const name = `${id}-${sequence}`
    const keys = keysOf(name, 1)
    const own = { type: "person", identifiers: { id } }
    const object = { type: "object", identifiers: { object_id: id } }
    const relationship_attributes = { n: sequence }
    const items = [
      {
        ...object,
        action: "identify",
        attributes: { last: sequence },
        svc_relationships: [{ identifiers: { id }, relationship_attributes }],
      },
      { type: "object", identifiers: { object_id: name }, action: "identify" },
      { ...own, action: "add_relationships", svc_relationships: [{ identifiers: { object_id: name } }] },
      { type: "object", identifiers: { object_id: `${id}-${sequence - 1}` }, action: "delete" },
      { ...own, action: "identify", attributes: { email: `${id}@example.com`, last: sequence } },
      { ...own, action: "event", name, id: keys[0] },
    ]
    return {
      sequence,
      name,
      keys,
      send: (inlet) => batch(inlet, items),
      check: async (management, applied) => {
        const last = applied ? sequence : sequence - 1
        const known = await management.object("1", id)
        const related = (known === undefined ? [] : await management.peopleOfObject("1", id)).map((one) => [
          one.id,
          one.attributes,
        ])
        if (last > 0) expect([known?.attributes, related]).toEqual([{ last }, [[id, { n: last }]]])
        expect((await management.object("1", name)) !== undefined).toBe(applied)
        expect((await management.object("1", `${id}-${last - 1}`)) === undefined).toBe(true)
        const [person] = await management.people({ id })
        const objects = person?.relationships.map((one) => one.object_id).toSorted() ?? []
        expect(objects).toEqual(last === 0 ? [] : [id, `${id}-${last}`])
      },
    }
  })
