import { Clock, Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { defaultBrand } from "@inlet/api/wire/Brand"
import { envelope } from "@inlet/api/wire/envelope"
import type { ReportExcess } from "@inlet/core/operation/commands"
import { Ingest } from "@inlet/core/engine/Ingest"
import type { Region, Workspace } from "@inlet/core/workspace/Workspace"
import { Settings } from "../Settings.ts"
import { RateMeter, type Rate } from "./RateMeter.ts"

/** Where a request of a workspace is to be answered, and how many more may come. */
export type Admitted =
  | { readonly _tag: "Here"; readonly rate: Rate }
  | { readonly _tag: "Throttled"; readonly rate: Rate }
  /** The workspace lives in the other region; `peer` is the address of its node (contract §14). */
  | { readonly _tag: "Elsewhere"; readonly peer: URL | null }
  /** The workspace lives in a region for which this one does not answer. */
  | { readonly _tag: "Refused" }

/** How often windows that ended are looked through for excess. */
const reportIntervalMs = 1000

/** Decides which requests with valid credentials are answered here: by region and by rate (contract §14, §15). */
export class Admission extends Context.Service<
  Admission,
  { admit(workspace: Workspace, now: number): Admitted }
>()("@inlet/server/ingestion/Admission") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { peerUrl, region } = yield* Settings
      const ingest = yield* Ingest
      const meter = new RateMeter()

      const report = Effect.fnUntraced(function* (by: number, now: number) {
        const excess = meter.takeExceeded(by)
        if (excess.length === 0) return
        yield* Metric.update(excesses, excess.length)
        const warnings = excess.map(({ requests, workspace }) => excessOf(workspace, requests, now))
        yield* Effect.ignore(ingest.submit(warnings, 0))
      })
      const reportEnded = Effect.flatMap(Clock.currentTimeMillis, (now) => report(now, now))
      yield* Effect.forkScoped(Effect.repeat(reportEnded, Schedule.spaced(reportIntervalMs)))
      yield* Effect.addFinalizer(() =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => report(Infinity, now)),
      )

      return Admission.of({
        admit: (workspace, now) => {
          if (workspace.region !== region) return elsewhere(region, Option.getOrNull(peerUrl))
          const rate = meter.count(workspace, now)
          return rate.sustained && workspace.rateLimit === "throttle"
            ? { _tag: "Throttled", rate }
            : { _tag: "Here", rate }
        },
      })
    }),
  )
}

/** What the US gets for the EU goes there; the other way it fails (track-api §1 rules 2 and 3). */
const elsewhere = (home: Region, peer: URL | null): Admitted =>
  home === "us" ? { _tag: "Elsewhere", peer } : { _tag: "Refused" }

const excessOf = (workspace: Workspace, requests: number, receivedAt: number): ReportExcess => ({
  ...envelope("ReportExcess", {
    workspace,
    brand: defaultBrand,
    source: "system",
    receivedAt,
    batchIndex: null,
  }),
  requests,
})

const excesses = Metric.counter("inlet_rate_excesses_total", {
  description: "Windows in which a workspace sent more requests than allowed",
  incremental: true,
})

/** What tells a client of its rate, on every answer. */
export const rateHeaders = ({ limit, remaining, resetSeconds, windowSeconds }: Rate) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
  "ratelimit-policy": `${limit};w=${windowSeconds}`,
})
