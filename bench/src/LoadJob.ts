import type { ScenarioName } from "./scenarios.ts"

/** Whom requests are about. */
export type People =
  /** Any of `count` people, whose numbers are `stride` apart. */
  | { readonly kind: "any"; readonly first: number; readonly count: number; readonly stride: number }
  /** One person after the other, each once. */
  | { readonly kind: "each"; readonly first: number }

/** When a job ends: after a time of which the first part is not measured, or after so many requests. */
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
  /** Requests a second whether or not answers come; null sends the next one as soon as an answer is there. */
  readonly pace: number | null
  readonly extent: Extent
  /** 14 characters that begin the ids of this job's events, and of no other's. */
  readonly tag: string
}

/** What a run found. Rates and latencies are those of the measured part. */
export interface LoadResult {
  readonly requests: number
  readonly seconds: number
  readonly unitsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of the server, for one unit. */
  readonly cpuMicrosPerUnit: number
  /** Of the load generator, where 1 is one core. */
  readonly loadCpu: number
  /** Of everything but server and load generator: how far others disturbed. */
  readonly othersCpu: number
  /** Answers other than 200, with what was wrong. */
  readonly failures: Readonly<Record<string, number>>
  /** Events that were answered 200 from the first to the last request. */
  readonly eventsAcknowledged: number
  /** The measured part in microseconds of the monotonic clock. */
  readonly from: number
  readonly to: number
}

export type LoadReply =
  | { readonly kind: "result"; readonly result: LoadResult }
  | { readonly kind: "failed"; readonly message: string }
