import { noRules, type RuleIndex } from "@inlethq/core/rule/RuleIndex"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"

/** The rules of a workspace as a store last read them. */
export interface Rules {
  readonly version: number
  readonly index: RuleIndex
  /** No leaf of the workspace is due before this time; null if none is due at all. */
  readonly nextDue: EpochMillis | null
}

const withoutRules: Rules = { version: 0, index: noRules, nextDue: null }

/** The largest number of workspaces whose compiled rules are kept. */
const workspacesMax = 100

/** Keeps the compiled rules of workspaces until they change. */
export class KnownRules {
  private readonly rules = new Map<WorkspaceId, Rules>()

  /** Returns the rules of a workspace, or undefined if they changed or are not known. */
  get(workspace: WorkspaceId, version: number): Rules | undefined {
    if (version === 0) return withoutRules
    const known = this.rules.get(workspace)
    return known?.version === version ? known : undefined
  }

  /** Returns the rules of a workspace as they were last read, although they may have changed since. */
  last(workspace: WorkspaceId): Rules | undefined {
    return this.rules.get(workspace)
  }

  set(workspace: WorkspaceId, rules: Rules): void {
    if (this.rules.size >= workspacesMax && !this.rules.has(workspace)) this.rules.clear()
    this.rules.set(workspace, rules)
  }

  clear(): void {
    this.rules.clear()
  }
}
