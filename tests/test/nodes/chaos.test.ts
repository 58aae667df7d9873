import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { Cluster } from "../../src/chaos/Cluster.ts"
import { faults, type Fault } from "../../src/chaos/faults.ts"
import { LogReader } from "../../src/chaos/LogReader.ts"
import {
  expectAllOrNothing,
  expectApplied,
  expectContiguous,
  expectEachEventOnce,
  expectReadInOrder,
} from "../../src/chaos/verify.ts"
import {
  deletionWriter,
  importWriter,
  membersBatch,
  otherWorkspaceWriter,
  segmentWriter,
} from "../../src/chaos/writers.ts"
import { eventually } from "../../src/eventually.ts"
import { testSeed as seed } from "../../src/fresh.ts"
import { fractions } from "../../../tools/testing/randomNumbers.ts"
import { batch } from "../../src/ingestion.ts"
import { Management } from "../../src/Management.ts"
import { Tenant } from "../../src/Tenant.ts"
import {
  mergeWriter,
  objectWriter,
  pipelinesBatchWriter,
  pipelinesTrackWriter,
  suppressionWriter,
  v1EventWriter,
  v1IdentifyWriter,
  v2BatchWriter,
  type Writer,
} from "../../src/Writer.ts"

/** The number of rounds. `pnpm test:chaos` sets a larger number. */
const rounds = Number(process.env["INLET_TEST_CHAOS_ROUNDS"] ?? 4)

/** The longest time between the start of a round and its fault, in milliseconds. */
const beforeFaultMsMax = 800

/** The largest number of requests that a writer sends to a node before it chooses another node. */
const requestsPerNode = 10

const writersOfFirstWorkspace = (segment: number): ReadonlyArray<Writer> => [
  v1EventWriter("v1-event-a"),
  v1EventWriter("v1-event-b"),
  v1IdentifyWriter("v1-identify"),
  v2BatchWriter("v2-small", 3),
  v2BatchWriter("v2-large", 100),
  pipelinesTrackWriter("pipelines-track-a"),
  pipelinesTrackWriter("pipelines-track-b"),
  pipelinesBatchWriter("pipelines-batch", 20),
  mergeWriter("merge"),
  suppressionWriter("suppression"),
  objectWriter("object"),
  deletionWriter("deletion"),
  segmentWriter("member", segment),
  importWriter("import"),
]

/** Sends requests to the nodes in random order until `stopped` returns true and the last request is acknowledged. */
const drive = async (cluster: Cluster, writer: Writer, stopped: () => boolean): Promise<void> => {
  while (!stopped() || writer.unacknowledged !== undefined) {
    const node = await cluster.any(Math.random)
    let sent = 0
    const isOver = () => sent >= requestsPerNode || (stopped() && writer.unacknowledged === undefined)
    await writer.write(node, isOver, () => sent++)
    if (writer.unacknowledged === undefined) continue
    await expectAllOrNothing(new Management(await cluster.any(Math.random)), writer)
    await pause(20)
  }
}

/**
 * Kills a node and causes a fault while all writers send. Returns when the node runs again, the fault is over and all
 * requests are acknowledged.
 */
const runRound = async (
  cluster: Cluster,
  writers: ReadonlyArray<Writer>,
  random: () => number,
  killed: number,
  fault: Fault,
): Promise<void> => {
  let isOver = false
  const written = Promise.all(writers.map((writer) => drive(cluster, writer, () => isOver)))
  const kill = async () => {
    await pause(random() * beforeFaultMsMax)
    await cluster.killNode(killed)
    await pause(random() * 200)
    await cluster.startNode(killed)
  }
  const cause = async () => {
    await pause(random() * beforeFaultMsMax)
    await fault.cause(cluster, random)
  }
  try {
    await Promise.all([kill(), cause()])
  } finally {
    isOver = true
    await written
  }
}

describe("three nodes on one PostgreSQL database, while nodes are killed and connections, backends and the server fail", () => {
  it(`no acknowledged request is lost or applied twice, and each reader sees log positions in order and without gaps (INLET_TEST_SEED=${seed})`, async () => {
    const random = fractions(seed)
    const cluster = await Cluster.start()
    try {
      const first = await cluster.any(Math.random)
      const tenant = await Tenant.create({}, first)
      const segment = await new Management(first).createSegment()
      expect((await batch(first, membersBatch("member"))).status).toBe(200)
      const writers = writersOfFirstWorkspace(segment)
      const others = ["other-a", "other-b"].map((id) => otherWorkspaceWriter(id, tenant.authorization))
      const readers = [1, 1, 1, tenant.workspace, tenant.workspace, tenant.workspace].map(
        (workspace) => new LogReader(cluster, workspace, Math.random),
      )
      for (let round = 0; round < rounds; round++) {
        const fault = faults[Math.floor(random() * faults.length)]
        if (fault === undefined) throw new Error("there are no faults")
        console.log(`round ${round + 1} of ${rounds}: ${fault.name}`)
        const before = writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
        await runRound(cluster, [...writers, ...others], random, round % cluster.size, fault)
        await expectApplied(new Management(await cluster.any(Math.random)), writers)
        const sent = writers.reduce((sum, { acknowledged }) => sum + acknowledged, 0) - before
        console.log(`${sent} requests acknowledged`)
      }
      const management = new Management(await cluster.any(Math.random))
      const entries = await management.activity({ order: "asc" })
      expectEachEventOnce(entries, writers)
      for (const reader of readers) await caughtUp(cluster, reader)
      await Promise.all(readers.map((reader) => reader.stop()))
      const [own, foreign] = [readers.slice(0, 3), readers.slice(3)]
      for (const reader of own) expectReadInOrder(reader, entries)
      await expectContiguous(cluster, tenant.workspace, foreign)
      console.log(`${entries.length} entries, read by ${readers.length} readers`)
    } finally {
      await cluster.remove()
    }
  })
})

/** Waits until a reader has received the newest log entry that the management API returns. */
const caughtUp = async (cluster: Cluster, reader: LogReader): Promise<void> => {
  const management = new Management(await cluster.any(Math.random), reader.workspace)
  const newest = (await management.activityPage({ limit: "1" })).items[0]?.sequence ?? 0
  await eventually("a reader shows the newest entry", () =>
    (reader.positions.at(-1) ?? 0) >= newest ? true : undefined,
  )
}
