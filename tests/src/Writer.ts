import { expect } from "vitest"
import type { Answer } from "./http.ts"
import { batch, event, identify, pipelines } from "./ingestion.ts"
import type { Inlet } from "./Inlet.ts"
import type { Management } from "./Management.ts"

export interface WriterRequest {
  readonly sequence: number
  /** The name of the events in the request. The name is unique to the request. */
  readonly name: string
  /** The deduplication keys of the events in the request. */
  readonly keys: ReadonlyArray<string>
  readonly send: (inlet: Inlet) => Promise<Answer>
  /**
   * Checks that all changes of the request, apart from its events, are stored. If `applied` is false, checks that these
   * changes are not stored.
   */
  readonly check?: (management: Management, applied: boolean) => Promise<void>
}

/** Sends numbered requests about its own person, one at a time. Repeats a request until the server acknowledges it. */
export class Writer {
  readonly id: string
  /** True if each request stores its number in the attribute `last` of the person that belongs to this writer. */
  readonly storesProgress: boolean
  readonly expectedKeys: Array<string> = []
  acknowledged = 0
  unacknowledged: WriterRequest | undefined
  /** The last request that was acknowledged. */
  latest: WriterRequest | undefined
  readonly #request: (sequence: number) => WriterRequest

  constructor(id: string, storesProgress: boolean, request: (sequence: number) => WriterRequest) {
    this.id = id
    this.storesProgress = storesProgress
    this.#request = request
  }

  /**
   * Sends requests until `stopped` returns true or a request is not acknowledged. Calls `acknowledged` after each
   * acknowledged request.
   */
  async write(inlet: Inlet, stopped: () => boolean, acknowledged: () => void): Promise<void> {
    while (!stopped()) {
      if (!(await this.#next(inlet))) return
      acknowledged()
    }
  }

  /** Repeats the request that was not acknowledged before the last crash. */
  async retryUnacknowledged(inlet: Inlet): Promise<void> {
    if (this.unacknowledged !== undefined && !(await this.#next(inlet)))
      throw new Error(`${this.id}: the repeated request is not acknowledged`)
  }

  async #next(inlet: Inlet): Promise<boolean> {
    const request = this.unacknowledged ?? this.#request(this.acknowledged + 1)
    this.unacknowledged = request
    const answer = await request.send(inlet).catch(() => undefined)
    if (answer === undefined || answer.status === 503) return false
    if (answer.status !== 200) throw new Error(`${this.id}: ${answer.status} ${answer.text}`)
    this.unacknowledged = undefined
    this.latest = request
    this.acknowledged = request.sequence
    this.expectedKeys.push(...request.keys)
    return true
  }
}

/** The id of a person that all batch writers update. */
export const sharedPersonId = "shared"

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
      {
        type: "person",
        identifiers: { id: sharedPersonId },
        action: "identify",
        attributes: { [id]: sequence },
      },
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
      { type: "identify", userId: sharedPersonId, messageId: `${name}/shared`, traits: { [id]: sequence } },
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

/**
 * Returns a writer that sends batches. Each batch creates a person with a device and an event, and merges that person
 * into the person that belongs to the writer.
 */
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

/** Returns a writer that sends batches. Each batch creates a person and then suppresses this person. */
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
        expect(await management.isSuppressed({ id: name })).toBe(applied)
      },
    }
  })

/**
 * Returns a writer that sends batches. Each batch relates the person that belongs to the writer to two objects: to the
 * first by a batch item of type object, and to the second by a batch item of type person. The batch also deletes the
 * second object of the previous batch.
 */
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
