import type { Command } from "@inlethq/core/Command"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { isPlanCode } from "@inlethq/core/plan/planTexts"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { Call } from "../call/Call.ts"
import { commandOf } from "./trialCommands.ts"

/** The commands of one operation in the two worlds of a trial. */
interface Commands {
  readonly now: Command
  readonly tried: Command
}

/**
 * Knows with which plans an operation is decided again. The plans of now decide what was decided with plans that did the same.
 * What they would strip or reject today was decided without them, and so it is in a trial of anything else.
 */
export class TriedPlans {
  private readonly now: Workspace
  private readonly tried: Workspace
  private readonly nowWithout: Workspace
  private readonly triedWithout: Workspace
  private readonly areTried: boolean

  constructor(now: Workspace, tried: Workspace) {
    this.now = now
    this.tried = tried
    this.areTried = now.plan?.text !== tried.plan?.text || now.unknownEvents !== tried.unknownEvents
    this.nowWithout = withoutPlans(now)
    this.triedWithout = this.areTried ? tried : withoutPlans(tried)
  }

  /** Returns the commands that a call becomes, or null if it becomes none or several. */
  commandsOf(call: Call, entry: ActivityEntry): Commands | null {
    const followed = commandOf(call, entry, this.now)
    const isNew = followed !== null && isTakenByPlan(followed) && !wasTakenByPlan(entry)
    const now = isNew ? commandOf(call, entry, this.nowWithout) : followed
    const tried = commandOf(call, entry, isNew ? this.triedWithout : this.tried)
    return now === null || tried === null ? null : { now, tried }
  }

  /** Returns an entry as it was decided again, with the violations that the log has of it if plans are what is tried. */
  asRecorded(decided: ActivityEntry | null, { plan }: ActivityEntry): ActivityEntry | null {
    if (!this.areTried || decided === null) return decided
    const { plan: _, ...rest } = decided
    return plan === undefined ? rest : { ...rest, plan }
  }
}

const withoutPlans = (workspace: Workspace): Workspace => ({
  ...workspace,
  plan: null,
  unknownEvents: "allow",
})

const isTakenByPlan = ({ faults }: Command): boolean => faults.some(({ code }) => isPlanCode(code))

const wasTakenByPlan = ({ reasons, refused }: ActivityEntry): boolean =>
  reasons.some(({ code }) => isPlanCode(code)) || refused.some(({ code }) => isPlanCode(code))
