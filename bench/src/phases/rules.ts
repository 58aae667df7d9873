import { setTimeout as sleep } from "node:timers/promises"
import { batchConnections, singleConnections, type Bench, type Store } from "../Bench.ts"
import { callManagement } from "../callManagement.ts"
import type { Measurement } from "../LoadJob.ts"
import { knownOf, knownPeople } from "../people.ts"
import { median, medianRatio, plainRow, rowOf, whole } from "../report.ts"
import { scenarios } from "../scenarios.ts"
import type { Server } from "../Server.ts"

/** The pause, in milliseconds, between two looks at segments. */
const lookMs = 50

/** The pause, in milliseconds, between two looks at the size of a segment. */
const sizeLookMs = 1000

/** A number of rules, some of which count every event of the load, and the least shares of the rates without rules. */
interface Rules {
  readonly total: number
  readonly counting: number
  readonly singleMin: number | null
  readonly batchMin: number | null
}

const steps: ReadonlyArray<Rules> = [
  { total: 100, counting: 0, singleMin: 0.99, batchMin: null },
  { total: 103, counting: 3, singleMin: 0.93, batchMin: 0.85 },
  { total: 1000, counting: 30, singleMin: null, batchMin: 0.6 },
]

/** Rules that are built at the same time, besides a single one, while single events arrive. */
const builtTogether = 20
const shareBesideBuildMin = 0.9
const buildSecondsMax = 120

/** How much more memory a server may use with the most rules of `steps` than one without, in MB. */
const megabytesAboveMax = 40

const duePeople = 100_000
const windowMs = 60_000
const shareBesideTimeMin = 0.8
const dueSecondsMax = 60

/** A segment by rule, as far as this phase reads it. */
interface Segment {
  readonly segment_id: number
  readonly state: string
  readonly size: number
  readonly next: object | null
}

const createRule = async (server: Server, name: string, rule: object): Promise<Segment> =>
  JSON.parse(await callManagement(server, "POST", "/segments", { name, rule }))

const segmentAt = async (server: Server, { segment_id }: Segment): Promise<Segment> =>
  JSON.parse(await callManagement(server, "GET", `/segments/${segment_id}`))

const untilActive = async (server: Server, segments: ReadonlyArray<Segment>): Promise<void> => {
  for (const segment of segments) {
    while ((await segmentAt(server, segment)).state !== "active") await sleep(lookMs)
  }
}

const untilEmpty = async (server: Server, segment: Segment): Promise<void> => {
  while ((await segmentAt(server, segment)).size > 0) await sleep(sizeLookMs)
}

/** The most events that a rule of the load asks for. */
const countedMax = 3

/**
 * Returns a rule that counts all events of the load. Rules with different numbers have different leaves. A person with `countedMax`
 * events is in all segments, as most people are whose events concern a segment.
 */
export const counting = (n: number) => ({
  event: {
    name: "order_completed+page_viewed",
    count: { gte: (n % countedMax) + 1 },
    within: `${Math.floor(n / countedMax) + 1}d`,
  },
})

const waiting = (n: number) => ({ event: { name: `other_${n}`, count: { gte: 2 }, within: "30d" } })

const singles = (bench: Bench, server: Server, store: Store): Promise<Measurement> =>
  bench.load(server, store, {
    scenario: "event",
    people: knownOf(knownPeople),
    connections: singleConnections,
    extent: bench.timed(1),
  })

const batches = (bench: Bench, server: Server, store: Store): Promise<Measurement> =>
  bench.load(server, store, {
    scenario: "batch",
    people: knownOf(knownPeople),
    connections: batchConnections,
    extent: bench.timed(1.5),
  })

/**
 * Measures what rules cost that wait for other events, and rules that count each event of the load: servers with more and more
 * rules, each in turns with one without.
 */
export const measureRules = async (bench: Bench): Promise<void> => {
  const without = await beginWithEvents(bench, "without-rules")
  let [megabytes, megabytesWithout] = [0, 0]
  for (const step of steps) {
    const rules = Array.from({ length: step.total }, (_, n) => (n < step.counting ? counting(n) : waiting(n)))
    const withRules = await beginWithEvents(bench, `${step.total}-rules`, rules)
    for (const [what, unit, min, measure] of [
      ["single event", "req", step.singleMin, singles],
      ["v2 batch", "entities", step.batchMin, batches],
    ] as const) {
      const runs: Array<Measurement> = []
      const others: Array<Measurement> = []
      for (let round = 0; round < bench.options.rounds; round++) {
        others.push(await measure(bench, without.server, without.store))
        runs.push(await measure(bench, withRules.server, withRules.store))
      }
      megabytes = Math.max(megabytes, ...runs.map((run) => run.rssMegabytes))
      megabytesWithout = Math.max(megabytesWithout, ...others.map((run) => run.rssMegabytes))
      const name = `Inlet, ${what}, ${step.total} rules, ${step.counting} match`
      bench.rows.push(shareRow(name, unit, runs, others, min))
    }
    await bench.killAndVerify(withRules.server, withRules.store)
  }
  await bench.killAndVerify(without.server, without.store)
  const above = megabytes - megabytesWithout
  bench.rows.push(
    plainRow("Inlet, memory with rules above that without", {
      rssMegabytes: above,
      target: { text: `<= ${megabytesAboveMax} MB`, met: above <= megabytesAboveMax },
    }),
  )
}

/** Starts a server with rules, and then adds people. While there are no people, rules need not be built. */
const begin = async (
  bench: Bench,
  name: string,
  people: number = knownPeople,
  rules: ReadonlyArray<object> = [],
) => {
  const store = bench.newStore(name)
  const server = await bench.startInlet(store)
  await createRules(server, rules)
  await bench.addPeople(server, store, people)
  return { server, store }
}

/** Starts a server with rules and people who are in all segments whose rules count them already. */
const beginWithEvents = async (bench: Bench, name: string, rules: ReadonlyArray<object> = []) => {
  const begun = await begin(bench, name, knownPeople, rules)
  await joinAll(bench, begun, knownPeople)
  return begun
}

/** Creates rules while there are no people, so that they need not be built. */
export const createRules = async (server: Server, rules: ReadonlyArray<object>): Promise<void> => {
  for (const [n, rule] of rules.entries()) await createRule(server, `rule ${n}`, rule)
}

/** Sends so many events that the first people are in all segments whose rules count them. */
export const joinAll = async (
  bench: Bench,
  begun: { readonly server: Server; readonly store: Store },
  people: number,
): Promise<void> => {
  for (let n = 0; n < countedMax; n++) await eventOfEach(bench, begun, people)
}

/** Sends an event of each of the first people. */
const eventOfEach = (bench: Bench, { server, store }: { server: Server; store: Store }, people: number) =>
  bench.load(server, store, {
    scenario: "events",
    people: { kind: "each", first: 0 },
    connections: batchConnections,
    extent: { kind: "count", requests: Math.ceil(people / scenarios.events.units) },
  })

const shareRow = (
  name: string,
  unit: string,
  runs: ReadonlyArray<Measurement>,
  others: ReadonlyArray<Measurement>,
  min: number | null,
) => {
  const share = medianRatio(runs, others, (run) => run.unitsPerSecond)
  const byCpu = medianRatio(others, runs, (run) => run.cpuMicrosPerUnit)
  return rowOf(name, unit, runs, {
    ratios: { alone: share, "alone by CPU": byCpu },
    target: min === null ? null : { text: `>= ${min} of alone`, met: share >= min },
  })
}

/** Measures single events while rules are built over many people, and how long that takes. */
export const measureRuleBuilds = async (bench: Bench): Promise<void> => {
  const { people } = bench.options
  const { server, store } = await begin(bench, "built-rules", people)
  for (const count of [1, builtTogether]) {
    const alone = await repeated(bench, server, store, bench.options.rounds)
    const created: Array<Segment> = []
    for (let n = 0; n < count; n++) {
      created.push(await createRule(server, `built ${n}`, { not: waiting(count + n) }))
    }
    const { beside, seconds } = await besideWork(bench, server, store, untilActive(server, created))
    pushBeside(
      bench,
      `${count === 1 ? "a rule is" : `${count} rules are`} built over ${whole(people)} people`,
      {
        alone,
        beside,
        min: shareBesideBuildMin,
        seconds,
        secondsMax: buildSecondsMax,
      },
    )
  }
  await bench.killAndVerify(server, store)
}

/** Measures single events while many people leave a segment because a window ends, and how long that takes. */
export const measureRuleTimers = async (bench: Bench): Promise<void> => {
  const { server, store } = await begin(bench, "timed-rules", duePeople)
  const segment = await createRule(server, "seen", { event: { name: "page_viewed", within: "1m" } })
  await untilActive(server, [segment])
  const alone = await repeated(bench, server, store, bench.options.rounds)
  const seenAt = Date.now()
  await eventOfEach(bench, { server, store }, duePeople)
  while (Date.now() < seenAt + windowMs) await sleep(lookMs)
  const { beside, seconds } = await besideWork(bench, server, store, untilEmpty(server, segment))
  pushBeside(bench, `${whole(duePeople)} people leave a segment`, {
    alone,
    beside,
    min: shareBesideTimeMin,
    seconds,
    secondsMax: dueSecondsMax,
  })
  await bench.killAndVerify(server, store)
}

const repeated = async (bench: Bench, server: Server, store: Store, times: number) => {
  const runs: Array<Measurement> = []
  for (let run = 0; run < times; run++) runs.push(await singles(bench, server, store))
  return runs
}

/** Measures single events again and again until some work ends, and how long it takes. */
const besideWork = async (bench: Bench, server: Server, store: Store, work: Promise<void>) => {
  const from = performance.now()
  const state = { seconds: 0 }
  const ended = work.then(() => (state.seconds = (performance.now() - from) / 1000))
  const beside: Array<Measurement> = []
  do beside.push(await singles(bench, server, store))
  while (state.seconds === 0)
  return { beside, seconds: await ended }
}

interface Beside {
  readonly alone: ReadonlyArray<Measurement>
  readonly beside: ReadonlyArray<Measurement>
  readonly min: number
  readonly seconds: number
  readonly secondsMax: number
}

const rateOf = (runs: ReadonlyArray<Measurement>) => median(runs.map((run) => run.unitsPerSecond))

/** Adds the rows of single events beside some work, and of the seconds that the work takes. */
const pushBeside = (
  bench: Bench,
  what: string,
  { alone, beside, min, seconds, secondsMax }: Beside,
): void => {
  const share = rateOf(beside) / rateOf(alone)
  bench.rows.push(
    rowOf(`Inlet, single event while ${what}`, "req", beside, {
      ratios: { alone: share },
      target: { text: `>= ${min} of alone`, met: share >= min },
    }),
    plainRow(`Inlet, ${what} beside single events`, {
      p50Ms: seconds * 1000,
      target: { text: `<= ${secondsMax} s`, met: seconds <= secondsMax },
    }),
  )
}
