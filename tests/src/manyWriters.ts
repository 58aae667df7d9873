import { expect } from "vitest"
import type { Management } from "./Management.ts"
import {
  mergeWriter,
  objectWriter,
  pipelinesBatchWriter,
  pipelinesTrackWriter,
  sharedPersonId,
  suppressionWriter,
  v1EventWriter,
  v1IdentifyWriter,
  v2BatchWriter,
  type Writer,
} from "./Writer.ts"

/** Returns new writers that together send every kind of request that changes data, alone and in batches. */
export const manyWriters = (): ReadonlyArray<Writer> => [
  v1EventWriter("v1-event-a"),
  v1EventWriter("v1-event-b"),
  v1IdentifyWriter("v1-identify"),
  v2BatchWriter("v2-small", 3),
  v2BatchWriter("v2-medium-a", 20),
  v2BatchWriter("v2-medium-b", 20),
  v2BatchWriter("v2-large", 150),
  pipelinesTrackWriter("pipelines-track-a"),
  pipelinesTrackWriter("pipelines-track-b"),
  pipelinesBatchWriter("pipelines-batch-a", 10),
  pipelinesBatchWriter("pipelines-batch-b", 30),
  mergeWriter("merge"),
  suppressionWriter("suppression"),
  objectWriter("object"),
]

/** Checks that the writer's request without an answer was applied completely or not at all. */
export const expectAllOrNothing = async (management: Management, writer: Writer): Promise<void> => {
  const request = writer.unacknowledged
  if (request === undefined) return
  const events = (await management.activity({ name: request.name })).filter(
    ({ outcome }) => outcome !== "duplicate",
  )
  expect([0, request.keys.length], request.name).toContain(events.length)
  if (!writer.storesProgress) return
  await request.check?.(management, events.length > 0)
  const people = await management.people({ id: writer.id })
  const last = Number(people[0]?.attributes["last"] ?? 0)
  if (request.keys.length === 0) expect([request.sequence - 1, request.sequence]).toContain(last)
  else expect(last, request.name).toBe(events.length === 0 ? request.sequence - 1 : request.sequence)
}

/** Checks that the log has each acknowledged event exactly once, and no event that the writers did not send. */
export const expectEverythingOnce = async (
  management: Management,
  writers: ReadonlyArray<Writer>,
): Promise<void> => {
  const entries = await management.activity({ order: "asc" })
  const keys = entries
    .filter(({ kind, outcome }) => kind === "event" && outcome !== "duplicate")
    .map(({ id }) => id ?? "")
    .toSorted()
  const expected = writers.flatMap(({ expectedKeys }) => expectedKeys).toSorted()
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys).toEqual(expected)
  const sequences = entries.map(({ sequence }) => sequence)
  expect(sequences).toEqual([...new Set(sequences)].toSorted((a, b) => a - b))
  expect(new Set(entries.map((entry) => entry.operation_id)).size).toBe(entries.length)
}

/**
 * Checks that each writer's person has the data of the writer's last acknowledged request, and that no other people
 * exist.
 */
export const expectPeopleWhole = async (
  management: Management,
  writers: ReadonlyArray<Writer>,
): Promise<void> => {
  const identifying = writers.filter(({ storesProgress, acknowledged }) => storesProgress && acknowledged > 0)
  for (const { id, acknowledged } of identifying) {
    const person = await management.person({ id })
    expect(person).toMatchObject({ email: `${id}@example.com`, attributes: { last: acknowledged } })
    expect((await management.person({ email: `${id}@example.com` })).svc_id).toBe(person.svc_id)
  }
  const sharing = identifying.filter(({ id }) => /batch|v2/.test(id))
  const { attributes } = await management.person({ id: sharedPersonId })
  expect(attributes).toEqual(Object.fromEntries(sharing.map(({ id, acknowledged }) => [id, acknowledged])))
  const everyone = (await management.people({ limit: "1000" })).map(({ id }) => id ?? "").toSorted()
  expect(everyone).toEqual([sharedPersonId, ...identifying.map(({ id }) => id)].toSorted())
}
