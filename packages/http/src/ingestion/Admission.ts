import { Clock, Context, Effect, Layer, Metric, Option, Schedule } from "effect"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import { envelope } from "@inlethq/wire/decoding/envelope"
import type { ReportExcess } from "@inlethq/core/operation/commands"
import { Ingest } from "@inlethq/engine/commits/Ingest"
import type { Region, Workspace } from "@inlethq/core/workspace/Workspace"
import { HttpSettings } from "../HttpSettings.ts"
import { RateMeter, type Rate } from "./RateMeter.ts"

/** The decision whether a request is processed here, throttled, forwarded or refused. */
export type Admitted =
  | { readonly _tag: "Here"; readonly rate: Rate }
  | { readonly _tag: "Throttled"; readonly rate: Rate }
  /**
   * The workspace belongs to the other region (US or EU). `peer` is the address of the node in that region, or null if
   * the settings contain no address (contract §14).
   */
  | { readonly _tag: "Elsewhere"; readonly peer: URL | null }
  /** The workspace belongs to the other region (US or EU), and this node does not forward requests to that region. */
  | { readonly _tag: "Refused" }

/**
 * The interval at which the server looks for rate windows that have ended and had more requests than the limit, and
 * records them.
 */
const reportIntervalMs = 1000

/**
 * Decides by region and rate limit how an authenticated request is handled. Adds an entry to the activity log for each
 * rate window in which a workspace exceeded its limit (contract §14, §15).
 */
export class Admission extends Context.Service<
  Admission,
  { admit(workspace: Workspace, now: number): Admitted }
>()("@inlethq/http/ingestion/Admission") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const { peerUrl, region } = yield* HttpSettings
      const ingest = yield* Ingest
      const meter = new RateMeter()
      yield* Metric.value(excesses)

      const report = Effect.fnUntraced(function* (by: number, now: number) {
        const excess = meter.takeExceeded(by)
        if (excess.length === 0) return
        yield* Metric.update(excesses, excess.length)
        const warnings = excess.map(({ requests, workspace }) => excessOf(workspace, requests, now))
        yield* ingest
          .submit(warnings, 0)
          .pipe(Effect.ignoreCause({ log: "Warn", message: "exceeded rate limits could not be recorded" }))
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

/**
 * The US node forwards requests of EU workspaces, while the EU node refuses requests of US workspaces (track-api §1
 * rules 2 and 3).
 */
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
  description: "Rate windows in which a workspace exceeded its request limit",
  incremental: true,
})

/** Returns the `RateLimit-*` headers of a response. */
export const rateHeaders = ({ limit, remaining, resetSeconds, windowSeconds }: Rate) => ({
  "ratelimit-limit": String(limit),
  "ratelimit-remaining": String(remaining),
  "ratelimit-reset": String(resetSeconds),
  "ratelimit-policy": `${limit};w=${windowSeconds}`,
})
