import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { differingMax } from "@inlethq/log/trial/Trial"
import { runTrial } from "@inlethq/log/trial/runTrial"
import { Cause, Clock, Effect, FiberMap } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { newPublicId } from "../../credentials/Secret.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { backtestOf } from "../segments/tryRule.ts"
import { whatIfDocument } from "./whatIfDocument.ts"
import { WhatIfJobs, type WhatIfJob } from "./WhatIfJobs.ts"
import { plannedWhatIf } from "./plannedWhatIf.ts"

const ended = (job: WhatIfJob, status: "done" | "stopped" | "failed", problem: string | null) =>
  Effect.map(Clock.currentTimeMillis, (now) => job.end(status, problem, now))

export const whatIfHandlers = HttpApiBuilder.group(
  ManagementApi,
  "whatIf",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const catalog = yield* Catalog
    const snapshots = yield* Snapshots
    const store = yield* Store
    const turns = yield* Turns
    const brand = yield* BrandInUse
    const fibers = yield* FiberMap.make<string>()
    const jobs = new WhatIfJobs()
    const reader = { catalog, store, turns, brand }

    const found = Effect.fnUntraced(function* (w: WorkspaceId, id: string) {
      const { id: workspace } = yield* workspaceAt(registry, w)
      const job = jobs.get(workspace, id)
      if (job !== undefined) return job
      return yield* new NotFound({ detail: problemTexts.notFound({ thing: "trial" }) })
    })

    const run = Effect.fnUntraced(
      function* (job: WhatIfJob) {
        const { days, rule, workspace } = job.plan
        if (rule !== null) {
          const now = yield* Clock.currentTimeMillis
          job.backtest = yield* backtestOf({ ...reader, workspace: workspace.id }, rule, days, now)
        } else if (job.plan.range !== null) {
          const { range, trial } = job.plan
          yield* runTrial(trial, workspace, range, (entry) => job.passed(entry)).pipe(
            Effect.provideService(Snapshots, snapshots),
          )
        }
      },
      (work, job) =>
        Effect.matchCauseEffect(work, {
          onSuccess: () =>
            ended(job, "done", job.plan.trial.isFull ? problemTexts.whatIfFull({ max: differingMax }) : null),
          onFailure: (cause) =>
            Cause.hasInterruptsOnly(cause)
              ? ended(job, "stopped", null)
              : Effect.andThen(
                  Effect.logWarning("a trial of the log failed", cause),
                  ended(job, "failed", problemTexts.whatIfFailed()),
                ),
        }),
    )

    return handlers.handleAll({
      start: Effect.fn("management.whatIf.start")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        if (jobs.running(workspace.id) !== undefined)
          return yield* new Conflict({ detail: problemTexts.whatIfRuns() })
        const plan = yield* plannedWhatIf({ catalog, store }, workspace, payload)
        const job = jobs.add(yield* newPublicId, plan, yield* Clock.currentTimeMillis)
        yield* FiberMap.run(fibers, job.id, run(job))
        return whatIfDocument(job)
      }, orUnavailable),

      get: Effect.fn("management.whatIf.get")(function* ({ params }) {
        return whatIfDocument(yield* found(params.w, params.what_if_id))
      }, orUnavailable),

      stop: Effect.fn("management.whatIf.stop")(function* ({ params }) {
        const job = yield* found(params.w, params.what_if_id)
        yield* FiberMap.remove(fibers, job.id)
        yield* ended(job, "stopped", null)
        return whatIfDocument(job)
      }, orUnavailable),
    })
  }),
)
