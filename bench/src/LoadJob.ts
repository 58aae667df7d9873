import type { ScenarioName } from "./scenarios.ts"

/** The people that the requests of a job refer to. */
export type People =
  /**
   * A random one of `count` people. The number of the first person is `first`, and successive numbers differ by
   * `stride`.
   */
  | { readonly kind: "any"; readonly first: number; readonly count: number; readonly stride: number }
  /** Each person once, in the order of their numbers. */
  | { readonly kind: "each"; readonly first: number }

/** The length of a job: either a duration after a warm-up that is not measured, or a number of requests. */
export type Extent =
  | { readonly kind: "time"; readonly warmUpMs: number; readonly measuredMs: number }
  | { readonly kind: "count"; readonly requests: number }

/** One run of the load generator. */
export interface LoadJob {
  readonly port: number
  readonly serverPid: number
  readonly authorization: string
  readonly scenario: ScenarioName
  readonly people: People
  readonly connections: number
  /**
   * The number of requests per second, sent without waiting for answers. If null, each connection sends its next
   * request after the previous answer.
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
  /** The CPU time of the server for one unit, such as one event. */
  readonly cpuMicrosPerUnit: number
  /** CPU use of the server, where 1 is one core. */
  readonly serverCores: number
  /** CPU use of the load generator, where 1 is one core. */
  readonly loadCpu: number
  /** The CPU use of everything else on the machine in cores. */
  readonly othersCpu: number
  /** The number of failures by cause. A cause is a status other than 200 or a connection error. */
  readonly failures: Readonly<Record<string, number>>
  /** The number of events that were answered 200, including the warm-up. */
  readonly eventsAcknowledged: number
  /** The beginning and end of the measurement, in microseconds of the monotonic clock. */
  readonly from: number
  readonly to: number
}

/** The measurements of a run, including those of the server's process. */
export interface Measurement extends LoadResult {
  /** The server's peak memory, including the warm-up. */
  readonly rssMegabytes: number
  /** The longest time for which the server's main thread was blocked. NaN if the server has ended. */
  readonly blockedMs: number
}

export type LoadReply =
  /** The warm-up is over. */
  | { readonly kind: "measuring" }
  | { readonly kind: "result"; readonly result: LoadResult }
  | { readonly kind: "failed"; readonly message: string }
