import { createHash, type Hash } from "node:crypto"
import { whatIfsKeptMax, whatIfsRunningMax, type NewWhatIf } from "@inlethq/contract/trial/WhatIf"
import type { BacktestDocument } from "@inlethq/contract/segments/SegmentRules"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import type { Rule } from "@inlethq/core/rule/Rule"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { TrialRange } from "@inlethq/log/trial/runTrial"
import type { Trial } from "@inlethq/log/trial/Trial"
import type { TrialTally } from "@inlethq/log/trial/TrialTally"

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

/** What is asked of a trial, and how far it has come. */
type Asked = Omit<WhatIfPlan, "trial">

/** A trial that runs or has ended. */
export class WhatIfJob {
  readonly id: string
  readonly plan: Asked
  readonly tally: TrialTally
  readonly startedAt: EpochMillis
  /** Of every entry that was passed. */
  readonly hash: Hash = createHash("sha256")
  status: "running" | "done" | "stopped" | "failed" = "running"
  problem: string | null = null
  endedAt: EpochMillis | null = null
  backtest: BacktestDocument | null = null
  /** Null once it has ended, so that a report that is kept keeps neither world. */
  private trial: Trial | null
  private wasApplied = false
  private didMergeLast = false

  constructor(id: string, { trial, ...plan }: WhatIfPlan, startedAt: EpochMillis) {
    this.id = id
    this.plan = plan
    this.trial = trial
    this.tally = trial.tally
    this.startedAt = startedAt
  }

  get isApplied(): boolean {
    return this.trial?.isApplied ?? this.wasApplied
  }

  get mergesLast(): boolean {
    return this.trial?.mergesLast ?? this.didMergeLast
  }

  /** The two worlds of a trial that runs. */
  get running(): Trial | null {
    return this.trial
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
    this.wasApplied = this.isApplied
    this.didMergeLast = this.mergesLast
    this.trial = null
    this.tally.seal()
  }
}

/** The trials of this node. They are in memory only, and a restart ends and forgets them. */
export class WhatIfJobs {
  private readonly jobs = new Map<string, WhatIfJob>()
  /** The workspaces whose trials are being prepared. */
  private readonly starting = new Set<WorkspaceId>()

  get(workspace: WorkspaceId, id: string): WhatIfJob | undefined {
    const job = this.jobs.get(id)
    return job?.plan.workspace.id === workspace ? job : undefined
  }

  /**
   * Takes the place of a trial of a workspace, which is free again after `release` unless a trial runs. Returns why there is none:
   * the workspace has a trial, or the node has as many as it may.
   */
  claim(workspace: WorkspaceId): "taken" | "full" | null {
    const busy = new Set(this.starting)
    for (const { plan, status } of this.jobs.values()) if (status === "running") busy.add(plan.workspace.id)
    if (busy.has(workspace)) return "taken"
    if (busy.size >= whatIfsRunningMax) return "full"
    this.starting.add(workspace)
    return null
  }

  release(workspace: WorkspaceId): void {
    this.starting.delete(workspace)
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
