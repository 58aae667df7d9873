import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { whatIfsRunningMax } from "@inlethq/contract/trial/WhatIf"
import { Conflict, NotFound } from "@inlethq/contract/access/Problem"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { Registry } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Clock, Effect, FiberMap } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { BrandInUse } from "../../BrandInUse.ts"
import { newPublicId } from "../../credentials/Secret.ts"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { workspaceAt } from "../answers/lookup.ts"
import { whatIfDocument } from "./whatIfDocument.ts"
import { WhatIfJobs } from "./WhatIfJobs.ts"
import { plannedWhatIf } from "./plannedWhatIf.ts"
import { jobEnded, runJob } from "./runJob.ts"

/** An id begins with as many characters that are the node's own, so that it can tell trials that it never had. */
const nodeCharacters = 8

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
    const node = (yield* newPublicId).slice(0, nodeCharacters)
    const services = { catalog, snapshots, store, turns, brand }

    const found = Effect.fnUntraced(function* (w: WorkspaceId, id: string) {
      const { id: workspace } = yield* workspaceAt(registry, w)
      const job = jobs.get(workspace, id)
      if (job !== undefined) return job
      const isOwn = id.startsWith(`${node}-`)
      return yield* new NotFound({
        detail: isOwn ? problemTexts.notFound({ thing: "trial" }) : problemTexts.whatIfElsewhere(),
      })
    })

    const claimed = (workspace: WorkspaceId) =>
      Effect.suspend(() => {
        const refused = jobs.claim(workspace)
        if (refused === null) return Effect.void
        const detail =
          refused === "taken"
            ? problemTexts.whatIfRuns()
            : problemTexts.whatIfsRun({ max: whatIfsRunningMax })
        return Effect.fail(new Conflict({ detail }))
      })

    return handlers.handleAll({
      start: Effect.fn("management.whatIf.start")(function* ({ params, payload }) {
        const workspace = yield* workspaceAt(registry, params.w)
        return yield* Effect.acquireUseRelease(
          claimed(workspace.id),
          Effect.fnUntraced(function* () {
            const plan = yield* plannedWhatIf({ catalog, store, turns }, workspace, payload)
            const job = jobs.add(`${node}-${yield* newPublicId}`, plan, yield* Clock.currentTimeMillis)
            yield* FiberMap.run(fibers, job.id, runJob(services, job))
            return whatIfDocument(job)
          }),
          () => Effect.sync(() => jobs.release(workspace.id)),
        )
      }, orUnavailable),

      get: Effect.fn("management.whatIf.get")(function* ({ params }) {
        return whatIfDocument(yield* found(params.w, params.what_if_id))
      }, orUnavailable),

      stop: Effect.fn("management.whatIf.stop")(function* ({ params }) {
        const job = yield* found(params.w, params.what_if_id)
        yield* FiberMap.remove(fibers, job.id)
        yield* jobEnded(job, "stopped", null)
        return whatIfDocument(job)
      }, orUnavailable),
    })
  }),
)
