import { parseArgs } from "node:util"
import { Machine, Thread } from "./Machine.ts"

/**
 * Simulates HTTP threads in front of one thread that decides and commits, and prints the rates of single events on machines
 * with more cores. The costs are those that the bench measures with one thread. The rings between the threads do not exist,
 * so their costs are assumptions.
 */

/** CPU time in µs, for one event unless the comment says otherwise. */
interface Costs {
  /** Reading a request, its path and its credentials, and starting its fiber. */
  readonly read: number
  /** Encoding and writing the answer. */
  readonly answer: number
  /** Parsing, loading, deciding and saving. */
  readonly decide: number
  /** Each commit, in addition to `decide` of its events. */
  readonly commit: number
  /** Writing a request or an outcome into a ring, and as much for reading it. Only with HTTP threads. */
  readonly ring: number
  /** Waking a sleeping thread. Only with HTTP threads. */
  readonly wake: number
  /** Checkpoints, syncs and helpers of the garbage collector, which run on another thread. */
  readonly background: number
  /** Sending a request and reading its answer in the load generator. */
  readonly load: number
}

const assumed: Costs = {
  read: 20.5,
  answer: 9.5,
  decide: 16,
  commit: 100,
  ring: 1.5,
  wake: 8,
  background: 9,
  load: 7,
}

/** The time in µs from the end of a commit to the end of its sync. */
const syncMicros = 300

/** The time in µs from the end of a task to the moment at which another core sees its effect. */
const handoverMicros = 5

const warmUpMicros = 200_000
const measuredMicros = 1_000_000

interface Setup {
  readonly cores: number
  /** The number of HTTP threads. If it is 0, one thread does everything, as the server does. */
  readonly httpThreads: number
  /** Each connection sends its next event when it has the answer to its last one. */
  readonly connections: number
  readonly costs: Costs
}

interface Outcome {
  readonly perSecond: number
  readonly eventsPerCommit: number
  readonly p50Ms: number
  /** The share of its time in which the deciding thread was busy. */
  readonly busy: number
}

/** The deciding thread. It takes all waiting events when a commit starts, and answers them when their sync has ended. */
class Decider {
  commits = 0
  events = 0
  private readonly machine: Machine
  private readonly thread: Thread
  private readonly background: Thread
  private readonly costs: Costs
  private waiting: Array<() => void> = []
  private isCommitting = false

  constructor(machine: Machine, thread: Thread, costs: Costs) {
    this.machine = machine
    this.thread = thread
    this.background = new Thread(machine, 0)
    this.costs = costs
  }

  submit(answer: () => void): void {
    this.waiting.push(answer)
    this.commitNext()
  }

  private commitNext(): void {
    if (this.isCommitting || this.waiting.length === 0) return
    this.isCommitting = true
    // Requests that have already reached this thread join the commit, because their tasks come before this one.
    this.thread.add(0, () => {
      const answers = this.waiting
      this.waiting = []
      const { commit, decide, ring } = this.costs
      this.thread.add(commit + answers.length * (decide + 2 * ring), () => {
        this.isCommitting = false
        this.background.add(answers.length * this.costs.background, () => {})
        this.machine.after(syncMicros, () => answers.forEach((answer) => answer()))
        this.commits++
        this.events += answers.length
        this.commitNext()
      })
    })
  }
}

const simulate = ({ connections, cores, costs: given, httpThreads }: Setup): Outcome => {
  const machine = new Machine(cores)
  const costs = httpThreads > 0 ? given : { ...given, ring: 0, wake: 0 }
  const deciding = new Thread(machine, costs.wake)
  const http =
    httpThreads > 0 ? Array.from({ length: httpThreads }, () => new Thread(machine, costs.wake)) : [deciding]
  const decider = new Decider(machine, deciding, costs)
  const loader = new Thread(machine, 0)
  const latencies: Array<number> = []
  // On two cores the load generator runs on the same machine, as in the bench.
  const load = (run: () => void) => (cores > 2 ? machine.after(costs.load, run) : loader.add(costs.load, run))

  const send = (thread: Thread): void => {
    const sentAt = machine.now
    machine.after(handoverMicros, () =>
      thread.add(costs.read + costs.ring, () =>
        decider.submit(() =>
          thread.add(costs.answer + costs.ring, () => {
            if (machine.now >= warmUpMicros) latencies.push(machine.now - sentAt)
            load(() => send(thread))
          }),
        ),
      ),
    )
  }

  for (let connection = 0; connection < connections; connection++) {
    const thread = http[connection % http.length]
    if (thread !== undefined) machine.after(connection, () => send(thread))
  }
  machine.runUntil(warmUpMicros + measuredMicros)
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    perSecond: (latencies.length * 1e6) / measuredMicros,
    eventsPerCommit: decider.events / decider.commits,
    p50Ms: (sorted[sorted.length >> 1] ?? Number.NaN) / 1000,
    busy: deciding.busyMicros / (warmUpMicros + measuredMicros),
  }
}

const { values } = parseArgs({
  options: {
    connections: { type: "string", default: "64,256" },
    /** Replaces costs, such as `decide=25,ring=4`. */
    costs: { type: "string", default: "" },
  },
})

const replaced = values.costs.split(",").flatMap((cost) => {
  const [name, micros] = cost.split("=")
  return name === undefined || micros === undefined ? [] : [[name, Number(micros)] as const]
})
const costs: Costs = { ...assumed, ...Object.fromEntries(replaced) }

const print = (cells: ReadonlyArray<string>) => console.log(cells.map((cell) => cell.padStart(14)).join(""))

for (const connections of values.connections.split(",").map(Number)) {
  console.log(`\n${connections} connections`)
  print(["cores", "HTTP threads", "events/s", "in a commit", "p50 ms", "decider busy"])
  for (const cores of [2, 4, 8, 16]) {
    for (const httpThreads of [0, 1, 2, 3, 4, 6].filter((threads) => threads < cores)) {
      const { busy, eventsPerCommit, p50Ms, perSecond } = simulate({ cores, httpThreads, connections, costs })
      const figures = [
        perSecond.toFixed(0),
        eventsPerCommit.toFixed(0),
        p50Ms.toFixed(2),
        `${(busy * 100).toFixed(0)} %`,
      ]
      print([String(cores), String(httpThreads), ...figures])
    }
  }
}
