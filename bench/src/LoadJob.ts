import type { ScenarioName } from "./scenarios.ts"

/** The people that the requests of a job refer to. */
export type People =
  /** Any of `count` people, chosen at random. The person numbers begin with `first` and ascend in steps of `stride`. */
  | { readonly kind: "any"; readonly first: number; readonly count: number; readonly stride: number }
  /** Uses each person once, in order. The person numbers begin with `first` and ascend by one. */
  | { readonly kind: "each"; readonly first: number }

/** The length of a job: a number of requests, or a measured duration after a warm-up. */
export type Extent =
  | { readonly kind: "time"; readonly warmUpMs: number; readonly measuredMs: number }
  | { readonly kind: "count"; readonly requests: number }

/** The instructions for one run of the load generator. */
export interface LoadJob {
  /** The ports of the servers. Each server gets an equal share of the connections. */
  readonly ports: ReadonlyArray<number>
  readonly serverPids: ReadonlyArray<number>
  /**
   * The process id of the postmaster, which is the parent of all PostgreSQL processes of the servers' database. Null
   * without PostgreSQL.
   */
  readonly databasePid: number | null
  /** The credentials of the workspaces. Each workspace gets an equal share of the connections. */
  readonly authorizations: ReadonlyArray<string>
  readonly scenario: ScenarioName
  readonly people: People
  readonly connections: number
  /**
   * The number of requests to send per second, without waiting for answers. If null, each connection sends its next
   * request as soon as its previous request is answered.
   */
  readonly pace: number | null
  readonly extent: Extent
  /** A prefix of 14 characters for the ids of this job's events. No other job uses the prefix. */
  readonly tag: string
}

/** The measurements of a run. Rates and latencies exclude the warm-up. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly unitsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /**
   * The CPU time of all servers, in microseconds, for each request, entity or event. The field `unit` of the scenario
   * names the unit.
   */
  readonly cpuMicrosPerUnit: number
  /** The CPU time of the main threads of all servers, in microseconds, for each request, entity or event. */
  readonly mainThreadMicrosPerUnit: number
  /** The CPU time of PostgreSQL, in microseconds, for each request, entity or event. Null without PostgreSQL. */
  readonly databaseMicrosPerUnit: number | null
  /** The average number of CPU cores that the servers used together. */
  readonly serverCores: number
  /** The average number of CPU cores that the load generator used. */
  readonly loadCpu: number
  /** The average number of CPU cores that everything else on the machine used. */
  readonly othersCpu: number
  /** The number of failed requests by cause. A cause is a connection error or an HTTP status other than 200. */
  readonly failures: Readonly<Record<string, number>>
  /** The number of events that were answered 200, including the warm-up. */
  readonly eventsAcknowledged: number
  /** The beginning and end of the measurement, in microseconds of the monotonic clock. */
  readonly from: number
  readonly to: number
}

/** For how long, in milliseconds, a main thread did not reach its timers. NaN if its server has ended. */
export interface Blocked {
  /** The longest time, whatever the reason. */
  readonly blockedMs: number
  /** The longest time without that for which the thread waited for a core. NaN except on Linux. */
  readonly ownMs: number
  /** The most CPU time that the thread used in such a time. */
  readonly workedMs: number
}

/** The measurements of the load generator and of the processes of the servers: of several servers the largest. */
export interface Measurement extends LoadResult, Blocked {
  /** The peak memory, including the warm-up. */
  readonly rssMegabytes: number
}

export type LoadReply =
  /** The message that the load generator sends when the warm-up is over. */
  | { readonly kind: "measuring" }
  | { readonly kind: "result"; readonly result: LoadResult }
  | { readonly kind: "failed"; readonly message: string }
