import { Schema } from "effect"
import { expect } from "vitest"
import { read, type Entry, type Query } from "./Management.ts"
import type { PipelinesSource } from "./PipelinesSource.ts"

const Values = Schema.Record(Schema.String, Schema.Json)
const Texts = Schema.Record(Schema.String, Schema.String)
const text = Schema.optionalKey(Schema.String)

const ExpectedEvent = Schema.Struct({
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

const ExpectedPerson = Schema.Struct({
  person: Texts,
  attributes: Schema.optionalKey(Values),
  email: text,
  anonymous: Schema.optionalKey(Schema.Array(Schema.String)),
  device: Schema.optionalKey(Values),
  noDevice: text,
})

const NoPerson = Schema.Struct({ nobody: Texts })

const ExpectedObject = Schema.Struct({
  object: Schema.Tuple([Schema.String, Schema.String]),
  attributes: Schema.optionalKey(Values),
  related: Schema.optionalKey(Schema.Array(Schema.String)),
})

const ExpectedMetric = Schema.Struct({ metric: Schema.String })

const ExpectedActivity = Schema.Struct({ activity: Texts, kind: Schema.String, name: Schema.String })

const State = Schema.Union([
  ExpectedEvent,
  ExpectedPerson,
  NoPerson,
  ExpectedObject,
  ExpectedMetric,
  ExpectedActivity,
])

/**
 * Checks one expectation about the data that a recorded request has stored. `since` is the time when the request was
 * built, in milliseconds.
 */
export const expectState = async (
  source: PipelinesSource,
  value: Schema.Json,
  since: number,
): Promise<void> => {
  const state = read(State, value)
  if ("event" in state) return expectEvent(source, state, since)
  if ("person" in state) return expectPerson(source, state)
  if ("nobody" in state) return expect(await source.people(state.nobody)).toEqual([])
  if ("object" in state) return expectObject(source, state)
  if ("metric" in state) return expectMetric(source, state.metric)
  return expectActivity(source, state)
}

/** Some clients send times in whole seconds, so a time may be up to a second too early. */
const precisionMs = 1000

const expectEvent = async (
  source: PipelinesSource,
  state: typeof ExpectedEvent.Type,
  since: number,
): Promise<void> => {
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

const eventsNamed = async (source: PipelinesSource, name: string) =>
  (await source.activity({ name })).filter(({ outcome }) => outcome !== "duplicate")

/** Checks that an event has the time of the client's clock, corrected by `sentAt` (contract §13 clock). */
const expectTime = (
  entry: Entry,
  at: NonNullable<(typeof ExpectedEvent.Type)["at"]>,
  since: number,
): void => {
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

const expectPerson = async (source: PipelinesSource, state: typeof ExpectedPerson.Type): Promise<void> => {
  const person = await source.person(state.person)
  expect(person.attributes).toMatchObject(state.attributes ?? {})
  expect(person.email).toBe(state.email ?? person.email)
  expect(person.anonymous_ids).toEqual(expect.arrayContaining([...(state.anonymous ?? [])]))
  if (state.device !== undefined)
    expect(person.devices).toEqual([expect.objectContaining({ token: state.device["token"] })])
  if (state.device !== undefined) expect(person.devices[0]).toMatchObject(state.device)
  expect(person.devices.map(({ token }) => token)).not.toContain(state.noDevice)
}

const expectObject = async (source: PipelinesSource, state: typeof ExpectedObject.Type): Promise<void> => {
  const object = await source.object(...state.object)
  expect(object).toMatchObject({ attributes: state.attributes ?? {} })
  const ids = (await source.peopleOfObject(...state.object)).map(({ id }) => id)
  expect(ids).toEqual(state.related ?? ids)
}

const expectMetric = async (source: PipelinesSource, deliveryId: string): Promise<void> => {
  const delivery = await source.delivery(deliveryId)
  expect(Object.keys(delivery?.metrics ?? {})).toHaveLength(1)
}

const expectActivity = async (
  source: PipelinesSource,
  { activity, kind, name }: typeof ExpectedActivity.Type,
): Promise<void> => {
  const query: Query = activity
  const { svc_id } = await source.person(query)
  const theirs = await source.activity({ name }, svc_id)
  expect(theirs).toEqual([expect.objectContaining({ kind, name })])
}
