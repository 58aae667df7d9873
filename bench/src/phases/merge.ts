import { batchConnections, type Bench } from "../Bench.ts"
import { knownOf, knownPeople } from "../people.ts"
import { plainRow, rowOf, whole } from "../report.ts"
import { callTrack } from "../callTrack.ts"
import { manyEventsPerson, scenarios } from "../scenarios.ts"

/** The number of events of the merged person. */
const events = 1_000_000

const answeredMaxMs = 250
const othersMaxMs = 100

/** The number of connections that send events during the merge. */
const otherConnections = 8

/**
 * Measures how long a merge of a person with very many events takes, and by how much the merge delays other requests.
 */
export const measureMerge = async (bench: Bench): Promise<void> => {
  const store = bench.newStore("merge")
  const inlet = await bench.startInlet(store)
  await bench.addPeople(inlet, store, knownPeople)
  await callTrack(inlet, "PUT", `/customers/${manyEventsPerson}`, {})
  await bench.load(inlet, store, {
    scenario: "eventsOfOne",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(events / scenarios.eventsOfOne.units) },
  })
  const others = bench.load(inlet, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: otherConnections,
    extent: bench.timed(1),
  })
  await new Promise((resolve) => setTimeout(resolve, (1 + bench.options.seconds / 2) * 1000))
  const answeredMs = await callTrack(inlet, "POST", "/merge_customers", {
    primary: { id: "p0000000000" },
    secondary: { id: manyEventsPerson },
  })
  const run = await others
  bench.rows.push(
    plainRow(`Inlet, merge of a person with ${whole(events)} events`, {
      p50Ms: answeredMs,
      target: { text: `< ${answeredMaxMs} ms`, met: answeredMs < answeredMaxMs },
    }),
    rowOf("Inlet, single events meanwhile", "req", [run], {
      target: { text: `p99 < ${othersMaxMs} ms`, met: run.p99Ms < othersMaxMs },
    }),
  )
  await bench.killAndVerify(inlet, store)
}
