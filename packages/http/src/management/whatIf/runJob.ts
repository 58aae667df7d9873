import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Store } from "@inlethq/core/ports/Store"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { differingMax } from "@inlethq/log/trial/Trial"
import { runTrial } from "@inlethq/log/trial/runTrial"
import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { Cause, Clock, Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"
import { backtestOf } from "../segments/tryRule.ts"
import type { WhatIfJob } from "./WhatIfJobs.ts"

interface Services {
  readonly catalog: Catalog["Service"]
  readonly snapshots: Snapshots["Service"]
  readonly store: Store["Service"]
  readonly turns: ReadTurns
  readonly brand: WrittenBrand
}

export const jobEnded = (job: WhatIfJob, status: "done" | "stopped" | "failed", problem: string | null) =>
  Effect.map(Clock.currentTimeMillis, (now) => job.end(status, problem, now))

/** Returns whether so much differs that the trial ended early. */
const decided = Effect.fnUntraced(function* ({ snapshots, ...reader }: Services, job: WhatIfJob) {
  const { days, range, rule, workspace } = job.plan
  if (rule !== null) {
    const now = yield* Clock.currentTimeMillis
    job.backtest = yield* backtestOf({ ...reader, workspace: workspace.id }, rule, days, now)
    return false
  }
  const { running: trial } = job
  if (range === null || trial === null) return false
  yield* runTrial(trial, workspace, range, (entry) => job.passed(entry)).pipe(
    Effect.provideService(Snapshots, snapshots),
  )
  return trial.isFull
})

/** Runs a trial until it ends, and notes how it did. */
export const runJob = (services: Services, job: WhatIfJob): Effect.Effect<void> =>
  Effect.matchCauseEffect(decided(services, job), {
    onSuccess: (isFull) =>
      jobEnded(job, "done", isFull ? problemTexts.whatIfFull({ max: differingMax }) : null),
    onFailure: (cause) =>
      Cause.hasInterruptsOnly(cause)
        ? jobEnded(job, "stopped", null)
        : Effect.andThen(
            Effect.logWarning("a trial of the log failed", cause),
            jobEnded(job, "failed", problemTexts.whatIfFailed()),
          ),
  })
