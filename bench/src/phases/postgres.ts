import { batchConnections, singleConnections, type Bench } from "../Bench.ts"
import { insertRate } from "../insertRate.ts"
import { knownOf, knownPeople } from "../people.ts"
import { startOnEmpty } from "../postgresNodes.ts"
import { PostgresStore } from "../PostgresStore.ts"
import { plainRow, rowOf, whole } from "../report.ts"
import type { ScenarioName } from "../scenarios.ts"

/** The target for batches on PostgreSQL: at least this many entities per second. */
const entitiesPerSecondMin = 15_000

/** The target for single events on PostgreSQL: at least this many events per second. */
const singlesPerSecondMin = 5000

/** The target for batches: at least this share of the rate of inserts without Inlet. */
const shareOfRawMin = 0.25

const warmUpSeconds = 1.5

/** The number of rows per transaction when inserts without Inlet are measured. */
const rawRows = 1000

/**
 * Measures inserts into a PostgreSQL server on this machine without Inlet. Then measures batches and single events of
 * Inlet on the same server.
 */
export const measurePostgres = async (bench: Bench): Promise<void> => {
  const postgres = await PostgresStore.start()
  try {
    const raw = await insertRate("postgres", await postgres.database(), rawRows, bench.options.seconds * 1000)
    bench.rows.push(
      plainRow(`raw PostgreSQL inserts, ${rawRows} a commit, with people and a lock`, {
        rate: raw,
        unit: "rows",
      }),
    )
    await measureInlet(bench, postgres, raw)
  } finally {
    await postgres.remove()
  }
}

const measureInlet = async (bench: Bench, postgres: PostgresStore, raw: number): Promise<void> => {
  const { server, store, url } = await startOnEmpty(bench, "postgres", postgres)
  await bench.addPeople(server, store, knownPeople)
  const measured = (scenario: ScenarioName, connections: number) =>
    bench.load(server, store, {
      scenario,
      people: knownOf(knownPeople),
      connections,
      extent: bench.timed(warmUpSeconds),
    })
  const batch = await measured("batch", batchConnections)
  const single = await measured("event", singleConnections)
  const share = batch.unitsPerSecond / raw
  bench.rows.push(
    rowOf("Inlet on PostgreSQL, v2 batch over 10,000 people", "entities", [batch], {
      ratios: { "raw PostgreSQL": share },
      target: {
        text: `>= ${whole(entitiesPerSecondMin)}/s and ${shareOfRawMin} of raw`,
        met: batch.unitsPerSecond >= entitiesPerSecondMin && share >= shareOfRawMin,
      },
    }),
    rowOf("Inlet on PostgreSQL, single event", "req", [single], {
      target: {
        text: `>= ${whole(singlesPerSecondMin)}/s`,
        met: single.unitsPerSecond >= singlesPerSecondMin,
      },
    }),
  )
  await server.kill()
  bench.verified.push(await postgres.verify(url, store.acknowledged))
}
