import { Schema } from "effect"
import { expect } from "vitest"
import { read, type Entry, type Query } from "./Management.ts"
import type { Source } from "./pipelinesSource.ts"

const Values = Schema.Record(Schema.String, Schema.Json)
const Texts = Schema.Record(Schema.String, Schema.String)
const text = Schema.optionalKey(Schema.String)

const Happened = Schema.Struct({
  event: Schema.String,
  by: Texts,
  kind: text,
  id: text,
  data: Schema.optionalKey(Values),
  at: Schema.optionalKey(
    Schema.Union([Schema.Literal("now"), Schema.Struct({ timestamp: Schema.String, sentAt: text })]),
  ),
  count: Schema.optionalKey(Schema.Int),
  pending: Schema.optionalKey(Schema.Boolean),
})

const Somebody = Schema.Struct({
  person: Texts,
  attributes: Schema.optionalKey(Values),
  email: text,
  anonymous: Schema.optionalKey(Schema.Array(Schema.String)),
  device: Schema.optionalKey(Values),
  noDevice: text,
})

const Nobody = Schema.Struct({ nobody: Texts })

const Related = Schema.Struct({
  object: Schema.Tuple([Schema.String, Schema.String]),
  attributes: Schema.optionalKey(Values),
  related: Schema.optionalKey(Schema.Array(Schema.String)),
})

const Reported = Schema.Struct({ metric: Schema.String })

const Did = Schema.Struct({ activity: Texts, kind: Schema.String, name: Schema.String })

const State = Schema.Union([Happened, Somebody, Nobody, Related, Reported, Did])

/** Fails unless what a request says about the state is true; `since` is the request's "now" in milliseconds. */
export const expectState = async (source: Source, value: Schema.Json, since: number): Promise<void> => {
  const state = read(State, value)
  if ("event" in state) return expectHappened(source, state, since)
  if ("person" in state) return expectSomebody(source, state)
  if ("nobody" in state) return expect(await source.people(state.nobody)).toEqual([])
  if ("object" in state) return expectObject(source, state)
  if ("metric" in state) return expectReported(source, state.metric)
  return expectDid(source, state)
}

/** Some clients cut their times to whole seconds. */
const precisionMs = 1000

const expectHappened = async (source: Source, state: typeof Happened.Type, since: number): Promise<void> => {
  const entries = await eventsNamed(source, state.event)
  expect(entries).toHaveLength(state.count ?? 1)
  for (const entry of entries) {
    expect(entry.subject).toMatchObject(state.by)
    expect(entry.kind).toBe(state.kind ?? entry.kind)
    expect(entry.id).toBe(state.id ?? entry.id)
    expect(entry.data).toMatchObject(state.data ?? {})
    if (state.pending === true) expect([entry.outcome, entry.processed_at]).toEqual(["pending", null])
    if (state.at !== undefined) expectTime(entry, state.at, since)
  }
}

const eventsNamed = async (source: Source, name: string) =>
  (await source.activity({ name })).filter(({ outcome }) => outcome !== "duplicate")

/** The client's clock, corrected by what it said when it sent (contract §13). */
const expectTime = (entry: Entry, at: NonNullable<(typeof Happened.Type)["at"]>, since: number): void => {
  const received = Date.parse(entry.received_at)
  if (at === "now") {
    expect(Date.parse(entry.at)).toBeGreaterThan(since - precisionMs)
    expect(Date.parse(entry.at)).toBeLessThanOrEqual(received)
    return
  }
  const original = Date.parse(at.timestamp)
  expect(Date.parse(entry.original_timestamp ?? "")).toBe(original)
  expect(Date.parse(entry.at)).toBe(
    at.sentAt === undefined ? original : received - (Date.parse(at.sentAt) - original),
  )
}

const expectSomebody = async (source: Source, state: typeof Somebody.Type): Promise<void> => {
  const person = await source.person(state.person)
  expect(person.attributes).toMatchObject(state.attributes ?? {})
  expect(person.email).toBe(state.email ?? person.email)
  expect(person.anonymous_ids).toEqual(expect.arrayContaining([...(state.anonymous ?? [])]))
  if (state.device !== undefined)
    expect(person.devices).toEqual([expect.objectContaining({ token: state.device["token"] })])
  if (state.device !== undefined) expect(person.devices[0]).toMatchObject(state.device)
  expect(person.devices.map(({ token }) => token)).not.toContain(state.noDevice)
}

const expectObject = async (source: Source, state: typeof Related.Type): Promise<void> => {
  const object = await source.object(...state.object)
  expect(object).toMatchObject({ attributes: state.attributes ?? {} })
  const ids = (await source.peopleOfObject(...state.object)).map(({ id }) => id)
  expect(ids).toEqual(state.related ?? ids)
}

const expectReported = async (source: Source, deliveryId: string): Promise<void> => {
  const delivery = await source.delivery(deliveryId)
  expect(Object.keys(delivery?.metrics ?? {})).toHaveLength(1)
}

const expectDid = async (source: Source, { activity, kind, name }: typeof Did.Type): Promise<void> => {
  const query: Query = activity
  const { svc_id } = await source.person(query)
  const theirs = await source.activity({ name }, svc_id)
  expect(theirs).toEqual([expect.objectContaining({ kind, name })])
}
