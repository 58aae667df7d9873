import type { DifferingDocument, WhatIfDocument } from "@inlethq/contract/trial/WhatIf"
import { isoTimeOrNull } from "@inlethq/contract/values/IsoTime"
import { operationIdText, svcIdText, type Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import type { DifferingOperation } from "@inlethq/log/trial/TrialTally"
import manifest from "../../../package.json" with { type: "json" }
import { whatIfSummary } from "./whatIfSummary.ts"
import type { WhatIfJob } from "./WhatIfJobs.ts"

/** Returns what is known of a trial so far. */
export const whatIfDocument = (job: WhatIfJob): WhatIfDocument => {
  const { asked, range, workspace } = job.plan
  const { tally } = job
  const id = idsOf(workspace.id)
  return {
    what_if_id: job.id,
    status: job.status,
    problem: job.problem,
    summary: whatIfSummary(job),
    change: asked.change,
    from: range?.from ?? 0,
    to: range?.to ?? 0,
    decided_to: tally.position,
    started_at: toIso(job.startedAt),
    ended_at: isoTimeOrNull(job.endedAt),
    version: manifest.version,
    range_hash: job.hash.copy().digest("hex"),
    applied: job.isApplied,
    entries: tally.entries,
    decided: tally.decided,
    undecidable: {
      operations: tally.undecided,
      codes: byCount(tally.reasons.values()).map(({ code, count, first }) => ({
        code,
        operations: count,
        example: id(first),
      })),
    },
    differing: {
      operations: tally.operations,
      people: tally.peopleCount,
      groups: byCount(tally.groups.values()).map(({ count, differs, first, now, tried }) => ({
        differs,
        now,
        tried,
        operations: count,
        example: id(first),
      })),
      items: tally.listed.map((one) => differingDocument(workspace.id, one)),
      complete: tally.listed.length === tally.operations,
    },
    backtest: job.backtest,
  }
}

const differingDocument = (workspace: WorkspaceId, one: DifferingOperation): DifferingDocument => ({
  operation_id: idsOf(workspace)(one),
  sequence: one.sequence,
  at: toIso(one.receivedAt),
  svc_id: one.subject === null ? null : svcIdText(workspace, one.subject),
  kind: one.kind,
  name: one.name,
  differs: one.differs,
  now: one.now,
  tried: one.tried,
})

const idsOf =
  (workspace: WorkspaceId) =>
  ({ batchIndex, sequence }: { readonly sequence: Sequence; readonly batchIndex: number | null }): string =>
    operationIdText(workspace, sequence, batchIndex)

const byCount = <A extends { readonly count: number }>(all: Iterable<A>): ReadonlyArray<A> =>
  [...all].toSorted((a, b) => b.count - a.count)
