import { join } from "node:path"
import { setTimeout as moment } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { seededRandom } from "../src/fresh.ts"
import { Inlet, variablesFor } from "../src/Inlet.ts"
import { freshDirectory } from "../src/cleanup.ts"
import { launch } from "../src/Launched.ts"
import { Management } from "../src/Management.ts"
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
} from "../src/Writer.ts"

const seed = Number(process.env["INLET_TEST_SEED"] ?? Date.now() % 1_000_000_007)
const rounds = 8

const writers: ReadonlyArray<Writer> = [
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

/**
 * Starts the server. With a probability of one in four, first kills the server while it starts, possibly several times.
 */
const restart = async (dataDir: string, random: () => number): Promise<Inlet> => {
  while (random() < 0.25) {
    const process = launch(variablesFor(dataDir))
    await Promise.race([moment(random() * 600), process.listening()])
    await process.signal("SIGKILL")
  }
  return Inlet.start({ dataDir })
}

/**
 * Runs all writers and kills the server at a random time: after a random number of acknowledged requests and up to 20
 * ms more.
 */
const writeUntilKilled = async (inlet: Inlet, random: () => number): Promise<void> => {
  const target = Math.floor(random() * 500)
  let acknowledged = 0
  let stopped = false
  const kill = async () => {
    stopped = true
    await moment(random() * 20)
    await inlet.kill()
  }
  let killed: Promise<void> | undefined
  const count = () => {
    acknowledged += 1
    if (acknowledged >= target) killed ??= kill()
  }
  const isDead = () => stopped && inlet.process.exited !== undefined
  await Promise.all(writers.map((writer) => writer.write(inlet, isDead, count)))
  await (killed ?? kill())
}

/** Checks that the request in flight when the server was killed was applied completely or not at all. */
const expectAllOrNothing = async (management: Management, writer: Writer): Promise<void> => {
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

const expectEverythingOnce = async (management: Management): Promise<void> => {
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

const expectPeopleWhole = async (management: Management): Promise<void> => {
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

describe("a server killed with SIGKILL", () => {
  it(`contract §4 one commit: a server killed at random moments loses no acknowledged request and applies each request completely and once (INLET_TEST_SEED=${seed})`, async () => {
    const random = seededRandom(seed)
    const dataDir = join(freshDirectory(), "data")
    for (let round = 0; round < rounds; round++) {
      const inlet = await restart(dataDir, random)
      const management = new Management(inlet)
      for (const writer of writers) await expectAllOrNothing(management, writer)
      await writeUntilKilled(inlet, random)
    }
    const inlet = await restart(dataDir, random)
    const management = new Management(inlet)
    for (const writer of writers) {
      await expectAllOrNothing(management, writer)
      await writer.retryUnacknowledged(inlet)
    }
    for (const { acknowledged } of writers) expect(acknowledged).toBeGreaterThan(0)
    await expectEverythingOnce(management)
    await expectPeopleWhole(management)
    expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  })
})
