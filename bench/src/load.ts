import { Connection } from "./Connection.ts"
import { Histogram } from "./Histogram.ts"
import type { LoadJob, LoadReply, LoadResult, People } from "./LoadJob.ts"
import { cpuSecondsOf, cpuSecondsWithChildren, machineCpuSeconds, mainThreadCpuSecondsOf } from "./proc.ts"
import { requestText, scenarios, type Scenario } from "./scenarios.ts"
import { compile, fill, type Sources, type Template } from "./Template.ts"

/** The load generator, a process that receives jobs from its parent process and replies with results. */

/** The longest wait for outstanding answers after the last request. */
const drainMs = 30_000

interface Reading {
  readonly at: number
  readonly serverCpu: number
  readonly mainThreadCpu: number
  readonly databaseCpu: number
  readonly ownCpu: number
  readonly machineCpu: number
  readonly requests: number
}

/** The request that a connection sends again and again. */
interface ConnectionRequest {
  readonly buffer: Buffer
  readonly slots: Template["slots"]
}

class Run {
  private readonly job: LoadJob
  private readonly scenario: Scenario
  /** One template for each workspace. The templates differ only in their credentials. */
  private readonly templates: ReadonlyArray<Template>
  private readonly sources: Sources
  private readonly latencies = new Histogram()
  private readonly failures: Record<string, number> = {}
  private readonly requests = new Map<Connection, ConnectionRequest>()
  private readonly idle: Array<Connection> = []
  private readonly due: Array<number> = []
  private dueRead = 0
  private sent = 0
  private answered = 0
  private acknowledged = 0
  private measuring = false
  private sending = true
  private broken = false
  private onDrained: (() => void) | undefined

  constructor(job: LoadJob) {
    this.job = job
    this.scenario = scenarios[job.scenario]
    this.templates = job.authorizations.map((authorization) =>
      compile(requestText(this.scenario, job.tag, authorization)),
    )
    this.sources = sourcesOf(job.people)
  }

  async result(): Promise<LoadResult> {
    for (let i = 0; i < this.job.connections; i++) {
      const connection = await Connection.open(
        evenly(this.job.ports, i),
        (answered, status) => this.onAnswer(answered, status),
        (_, reason) => this.onEnd(reason),
      )
      const { bytes, slots } = evenly(this.templates, i)
      this.requests.set(connection, { buffer: Buffer.from(bytes), slots })
      this.idle.push(connection)
    }
    try {
      return await (this.job.extent.kind === "time" ? this.timed() : this.counted())
    } finally {
      for (const connection of this.requests.keys()) connection.close()
    }
  }

  private async timed(): Promise<LoadResult> {
    const { extent } = this.job
    if (extent.kind !== "time") throw new Error("a timed run needs a job with a duration")
    const ticking = this.job.pace === null ? undefined : this.tickAt(this.job.pace)
    if (ticking === undefined) this.sendOnAll()
    await sleep(extent.warmUpMs)
    const from = this.beginMeasuring()
    await sleep(extent.measuredMs)
    this.measuring = false
    const to = this.read()
    clearInterval(ticking)
    await this.drained()
    return this.summary(from, to)
  }

  private async counted(): Promise<LoadResult> {
    const from = this.beginMeasuring()
    this.sendOnAll()
    await new Promise<void>((resolve) => {
      this.onDrained = resolve
    })
    return this.summary(from, this.read())
  }

  private beginMeasuring(): Reading {
    reply({ kind: "measuring" })
    this.measuring = true
    return this.read()
  }

  private sendOnAll(): void {
    for (const connection of this.idle.splice(0)) this.send(connection, performance.now())
  }

  /**
   * Sends requests at an even rate. If the timer fires late, the delayed requests are sent at once, and their latency
   * counts from when they were due.
   */
  private tickAt(perSecond: number): NodeJS.Timeout {
    const interval = 1000 / perSecond
    let next = performance.now()
    return setInterval(() => {
      for (const now = performance.now(); next <= now; next += interval) this.due.push(next)
      while (this.dueRead < this.due.length) {
        const connection = this.idle.pop()
        if (connection === undefined) return
        this.send(connection, this.due[this.dueRead++] ?? 0)
      }
    }, 1)
  }

  private send(connection: Connection, dueAt: number): void {
    const request = this.requests.get(connection)
    if (request === undefined) throw new Error("the connection has no request")
    fill(request.buffer, request.slots, this.sources)
    connection.dueAt = dueAt
    this.sent++
    connection.send(request.buffer)
  }

  private onAnswer(connection: Connection, status: number): void {
    const now = performance.now()
    this.answered++
    if (status === 200) this.acknowledged++
    else this.failures[status] = (this.failures[status] ?? 0) + 1
    if (this.measuring) this.latencies.add(now - connection.dueAt)
    if (this.mayContinue()) this.next(connection, now)
    else if (this.answered === this.sent) this.onDrained?.()
  }

  private mayContinue(): boolean {
    const { extent } = this.job
    return this.sending && (extent.kind === "time" || this.sent < extent.requests)
  }

  private next(connection: Connection, now: number): void {
    if (this.job.pace === null) return this.send(connection, now)
    if (this.dueRead < this.due.length) return this.send(connection, this.due[this.dueRead++] ?? 0)
    this.idle.push(connection)
  }

  private onEnd(reason: string): void {
    this.failures[reason] = (this.failures[reason] ?? 0) + 1
    this.sending = false
    this.broken = true
    this.onDrained?.()
  }

  private async drained(): Promise<void> {
    this.sending = false
    if (this.broken || this.answered === this.sent) return
    const drained = new Promise<void>((resolve) => {
      this.onDrained = resolve
    })
    const timer = setTimeout(() => this.onEnd("no answer within 30 s"), drainMs)
    await drained
    clearTimeout(timer)
  }

  private read(): Reading {
    const own = process.cpuUsage()
    return {
      at: Number(process.hrtime.bigint() / 1000n),
      serverCpu: this.job.serverPids.reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
      mainThreadCpu: this.job.serverPids.reduce((sum, pid) => sum + mainThreadCpuSecondsOf(pid), 0),
      databaseCpu: this.job.databasePid === null ? 0 : cpuSecondsWithChildren(this.job.databasePid),
      machineCpu: machineCpuSeconds(),
      ownCpu: (own.user + own.system) / 1e6,
      requests: this.answered,
    }
  }

  private summary(from: Reading, to: Reading): LoadResult {
    const seconds = (to.at - from.at) / 1e6
    const requests = to.requests - from.requests
    const units = requests * this.scenario.units
    const server = to.serverCpu - from.serverCpu
    const database = to.databaseCpu - from.databaseCpu
    const own = to.ownCpu - from.ownCpu
    return {
      requests,
      seconds,
      unitsPerSecond: units / seconds,
      p50Ms: this.latencies.quantile(0.5),
      p99Ms: this.latencies.quantile(0.99),
      cpuMicrosPerUnit: (server * 1e6) / units,
      mainThreadMicrosPerUnit: ((to.mainThreadCpu - from.mainThreadCpu) * 1e6) / units,
      databaseMicrosPerUnit: this.job.databasePid === null ? null : (database * 1e6) / units,
      serverCores: server / seconds,
      loadCpu: own / seconds,
      othersCpu: Math.max(0, to.machineCpu - from.machineCpu - server - database - own) / seconds,
      failures: this.failures,
      eventsAcknowledged: this.acknowledged * evenly(this.templates, 0).events,
      from: from.at,
      to: to.at,
    }
  }
}

/** Returns the element that a connection uses. Connections with successive numbers use the elements in turn. */
const evenly = <A>(elements: ReadonlyArray<A>, connection: number): A => {
  const element = elements[connection % elements.length]
  if (element === undefined) throw new Error("a job needs a port and credentials")
  return element
}

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

const sourcesOf = (people: People): Sources => {
  let events = 0
  let next = 0
  const random = randomFrom(0x9e3779b9)
  return {
    event: () => events++,
    person: () =>
      people.kind === "each"
        ? people.first + next++
        : people.first + (random() % people.count) * people.stride,
    random,
  }
}

/** Marsaglia's xorshift generator of unsigned 32-bit numbers. The numbers are the same in every run. */
const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}

const reply = (message: LoadReply) => process.send?.(message)

process.on("message", (job: LoadJob) => {
  new Run(job).result().then(
    (result) => reply({ kind: "result", result }),
    (error: unknown) => reply({ kind: "failed", message: String(error) }),
  )
})
