import type { Bench } from "../Bench.ts"
import { knownOf, knownPeople } from "../people.ts"
import { startOnEmpty } from "../postgresNodes.ts"
import { PostgresStore } from "../PostgresStore.ts"
import { rowOf, whole } from "../report.ts"
import { compared, measureLoads, type Figures } from "./history.ts"

const rounds = 3

/**
 * The target for single events and for batches on a database with many people: at least this share of the rate on an
 * empty database.
 */
const shareMin = 0.7

/**
 * Sends the same requests to an empty PostgreSQL database and to a database with many people, in alternating rounds.
 * Both databases are on one server.
 */
export const measurePostgresHistory = async (bench: Bench): Promise<void> => {
  const postgres = await PostgresStore.start()
  try {
    await measureOn(bench, postgres)
  } finally {
    await postgres.remove()
  }
}

const measureOn = async (bench: Bench, postgres: PostgresStore): Promise<void> => {
  const { people } = bench.options
  const full = await startOnEmpty(bench, "postgres-full", postgres)
  const adding = await bench.addPeople(full.server, full.store, people)
  await postgres.vacuum(full.url)
  const onEmpty: Figures = { single: [], batch: [], sameNames: [] }
  const onFull: Figures = { single: [], batch: [], sameNames: [] }
  for (let round = 0; round < rounds; round++) {
    const empty = await startOnEmpty(bench, "postgres-empty", postgres)
    await bench.addPeople(empty.server, empty.store, knownPeople)
    await postgres.vacuum(empty.url)
    await measureLoads(bench, empty.server, empty.store, knownOf(knownPeople), onEmpty)
    await empty.server.kill()
    await measureLoads(bench, full.server, full.store, knownOf(people), onFull)
  }
  const name = `with ${whole(people)} people`
  const onPostgres = "Inlet on PostgreSQL,"
  bench.rows.push(
    rowOf(`${onPostgres} v2 batch adding ${whole(people)} people`, "entities", [adding]),
    rowOf(`${onPostgres} single event with an empty database`, "req", onEmpty.single),
    compared(`${onPostgres} single event ${name}`, "req", onFull.single, onEmpty.single, shareMin),
    rowOf(`${onPostgres} v2 batch with an empty database`, "entities", onEmpty.batch),
    compared(`${onPostgres} v2 batch ${name}`, "entities", onFull.batch, onEmpty.batch, shareMin),
    compared(
      `${onPostgres} v2 batch ${name}, same names`,
      "entities",
      onFull.sameNames,
      onEmpty.sameNames,
      shareMin,
    ),
  )
  await full.server.kill()
  bench.verified.push(await postgres.verify(full.url, full.store.acknowledged))
}
