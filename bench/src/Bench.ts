import { mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { authorization } from "./credentials.ts"
import type { Extent, LoadJob, Measurement, People } from "./LoadJob.ts"
import { Loader } from "./Loader.ts"
import type { Options } from "./options.ts"
import { newcomersOf } from "./people.ts"
import type { Row } from "./report.ts"
import { scenarios, type ScenarioName } from "./scenarios.ts"
import { Server, type StartOptions } from "./Server.ts"
import { verify, type Verified } from "./verify.ts"

/** A server's data directory, and the number of events that the server acknowledged. */
export interface Store {
  readonly name: string
  readonly directory: string
  /**
   * The process id of the postmaster, which is the parent of all PostgreSQL processes of the store's database. Null if
   * the store is SQLite.
   */
  readonly databasePid: number | null
  acknowledged: number
}

/** The load of one measurement: the requests, the connections that send them, and the duration. */
export interface Load {
  readonly scenario: ScenarioName
  readonly people: People
  readonly connections: number
  readonly pace?: number
  readonly extent: Extent
  /**
   * The credentials of the workspaces. Each workspace gets an equal share of the connections. The default is workspace
   * 1 alone.
   */
  readonly authorizations?: ReadonlyArray<string>
}

export const singleConnections = 64
export const batchConnections = 4
/** The connections that send small batches. */
export const smallBatchConnections = 16

/** One run of the benchmark, with its data directories, its load generator and its results. */
export class Bench {
  readonly rows: Array<Row> = []
  readonly verified: Array<Verified> = []
  /** Peak memory of Inlet over all scenarios, in MB. */
  peakMegabytes = 0
  readonly options: Options
  private readonly loader = new Loader()
  private readonly directory: string
  private jobs = 0

  constructor(options: Options) {
    this.options = options
    this.directory = join(options.directory, `run-${process.pid}`)
    mkdirSync(this.directory, { recursive: true })
  }

  path(name: string): string {
    return join(this.directory, name)
  }

  newStore(name: string, databasePid: number | null = null): Store {
    const directory = this.path(name)
    rmSync(directory, { recursive: true, force: true })
    return { name, directory, databasePid, acknowledged: 0 }
  }

  removeStore(store: Store): void {
    rmSync(store.directory, { recursive: true, force: true })
  }

  startBare(): Promise<Server> {
    return Server.bare(this.path("bare.log"))
  }

  startInlet(store: Store, options: StartOptions = {}): Promise<Server> {
    return Server.inlet(store.directory, this.path(`${store.name}.log`), options)
  }

  /**
   * Sends load to a server and returns the measurements. Adds the number of acknowledged events to `store`. For a
   * server that stores nothing, `store` is null.
   */
  load(server: Server, store: Store | null, load: Load): Promise<Measurement> {
    return this.loadNodes([server], store, load)
  }

  /** Like `load`, but for several servers that use one database. Each server gets an equal share of the connections. */
  async loadNodes(
    servers: ReadonlyArray<Server>,
    store: Store | null,
    { authorizations = [authorization], pace, ...load }: Load,
  ): Promise<Measurement> {
    const job: LoadJob = {
      ...load,
      pace: pace ?? null,
      ports: servers.map(({ port }) => port),
      serverPids: servers.map(({ pid }) => pid),
      databasePid: store?.databasePid ?? null,
      authorizations,
      tag: `01bench${String(this.jobs++).padStart(7, "0")}`,
    }
    const takePeak = () => Math.max(...servers.map((server) => server.takePeak()))
    const idleMegabytes = takePeak()
    const result = await this.loader.run(job, () => {
      for (const server of servers) server.measureBlocked()
    })
    const blocked = await Promise.all(servers.map((server) => server.takeBlocked()))
    const rssMegabytes = takePeak()
    if (store !== null) {
      store.acknowledged += result.eventsAcknowledged
      this.notePeak(Math.max(idleMegabytes, rssMegabytes))
    }
    return {
      ...result,
      blockedMs: Math.max(...blocked.map((one) => one.blockedMs)),
      ownMs: Math.max(...blocked.map((one) => one.ownMs)),
      workedMs: Math.max(...blocked.map((one) => one.workedMs)),
      rssMegabytes,
    }
  }

  private notePeak(megabytes: number): void {
    this.peakMegabytes = Math.max(this.peakMegabytes, megabytes || 0)
  }

  /** Adds people to a store through the API of its server. The people are numbered from 0. */
  addPeople(server: Server, store: Store, people: number): Promise<Measurement> {
    return this.load(server, store, {
      scenario: "people",
      people: { kind: "each", first: 0 },
      connections: batchConnections,
      extent: { kind: "count", requests: Math.ceil(people / scenarios.people.units) },
    })
  }

  newcomers(): People {
    return newcomersOf(this.jobs)
  }

  /**
   * Returns the length of a job: a warm-up of this many seconds, then a measurement of as many seconds as the option
   * `--seconds` says.
   */
  timed(warmUpSeconds: number): Extent {
    return { kind: "time", warmUpMs: warmUpSeconds * 1000, measuredMs: this.options.seconds * 1000 }
  }

  /** Kills a server without a graceful stop, then counts the events in the server's store. */
  async killAndVerify(server: Server, store: Store): Promise<void> {
    await server.kill()
    this.verified.push(verify(store.directory, store.acknowledged))
    this.removeStore(store)
  }

  close(): void {
    this.loader.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
