import { createHash, type Hash } from "node:crypto"
import { whatIfsKeptMax, type NewWhatIf } from "@inlethq/contract/trial/WhatIf"
import type { BacktestDocument } from "@inlethq/contract/segments/SegmentRules"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Rule } from "@inlethq/core/rule/Rule"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { TrialRange } from "@inlethq/log/trial/runTrial"
import type { Trial } from "@inlethq/log/trial/Trial"

/** What a trial is about. */
export interface WhatIfPlan {
  readonly workspace: Workspace
  readonly asked: NewWhatIf
  readonly days: number
  /** Null if the log has no entries in the range. */
  readonly range: TrialRange | null
  readonly rule: Rule | null
  readonly trial: Trial
}

/** A trial that runs or has ended. */
export class WhatIfJob {
  readonly id: string
  readonly plan: WhatIfPlan
  readonly startedAt: EpochMillis
  /** Of every entry that was passed. */
  readonly hash: Hash = createHash("sha256")
  status: "running" | "done" | "stopped" | "failed" = "running"
  problem: string | null = null
  endedAt: EpochMillis | null = null
  backtest: BacktestDocument | null = null

  constructor(id: string, plan: WhatIfPlan, startedAt: EpochMillis) {
    this.id = id
    this.plan = plan
    this.startedAt = startedAt
  }

  /** Notes an entry that was decided again. */
  passed({ outcome, sequence }: ActivityEntry): void {
    this.hash.update(`${sequence} ${outcome}\n`)
  }

  end(status: "done" | "stopped" | "failed", problem: string | null, now: EpochMillis): void {
    if (this.status !== "running") return
    this.status = status
    this.problem = problem
    this.endedAt = now
  }
}

/** The trials of this node. They are in memory only, and a restart ends and forgets them. */
export class WhatIfJobs {
  private readonly jobs = new Map<string, WhatIfJob>()

  get(workspace: WorkspaceId, id: string): WhatIfJob | undefined {
    const job = this.jobs.get(id)
    return job?.plan.workspace.id === workspace ? job : undefined
  }

  running(workspace: WorkspaceId): WhatIfJob | undefined {
    return [...this.jobs.values()].find(
      ({ plan, status }) => plan.workspace.id === workspace && status === "running",
    )
  }

  add(id: string, plan: WhatIfPlan, now: EpochMillis): WhatIfJob {
    const job = new WhatIfJob(id, plan, now)
    this.jobs.set(id, job)
    for (const [old, { status }] of this.jobs) {
      if (this.jobs.size <= whatIfsKeptMax) break
      if (status !== "running") this.jobs.delete(old)
    }
    return job
  }
}
