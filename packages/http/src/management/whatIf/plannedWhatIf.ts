import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { whatIfDaysDefault, type NewWhatIf } from "@inlethq/contract/trial/WhatIf"
import { patched } from "@inlethq/contract/workspaces/Workspaces"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Store } from "@inlethq/core/ports/Store"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { newestSequence } from "@inlethq/log/reading/newestSequence"
import { firstReceivedSince } from "@inlethq/log/reading/receiptPeriod"
import { Trial } from "@inlethq/log/trial/Trial"
import type { Pair } from "@inlethq/log/trial/trialCommands"
import { Clock, Effect } from "effect"
import { problemTexts } from "../../problems/problemTexts.ts"
import { personKeyOf } from "../answers/lookup.ts"
import { planAfter } from "../plans/planAfter.ts"
import { validRule } from "../segments/tryRule.ts"
import type { WhatIfPlan } from "./WhatIfJobs.ts"

/** The most days that a rule is tried on. */
const ruleDaysMax = 30

interface Stores {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
  readonly turns: ReadTurns
}

/** Checks what is asked. Fails with a 400 that says what is wrong. */
export const plannedWhatIf = Effect.fnUntraced(function* (
  { catalog, store, turns }: Stores,
  workspace: Workspace,
  asked: NewWhatIf,
) {
  const { change } = asked
  if (Object.keys(change).length > 1) return yield* wrong(problemTexts.oneChange())
  if (asked.days !== undefined && asked.from !== undefined) return yield* wrong(problemTexts.daysOrPosition())
  const rule = change.rule === undefined ? null : yield* validRule(store, workspace.id, change.rule.rule)
  const days = asked.days ?? whatIfDaysDefault
  if (rule !== null && (days > ruleDaysMax || asked.from !== undefined))
    return yield* wrong(problemTexts.ruleDays({ max: ruleDaysMax }))
  const { digest, nextKey, nextSequence } = yield* store.view(needsOf(workspace.id, []))
  const settings = {
    ...change.settings,
    ...(change.omit !== undefined && { omit: [...workspace.omit, change.omit] }),
  }
  const tried = {
    workspace: {
      ...patched(workspace, settings),
      ...(change.plan !== undefined && { plan: yield* planAfter(turns, workspace.plan, change.plan.plans) }),
      id: workspace.id,
    },
    merge: change.merge === undefined ? null : yield* pairOf(workspace.id, change.merge),
    unmerge: change.unmerge === undefined ? null : yield* pairOf(workspace.id, change.unmerge),
  }
  const range = rule === null ? yield* rangeOf(catalog, workspace.id, asked, days) : null
  const trial = new Trial(workspace, tried, { digest, nextKey, nextSequence })
  return { workspace, asked, days, range, rule, trial } satisfies WhatIfPlan
})

const wrong = (detail: string) => Effect.fail(new InvalidRequest({ detail }))

const pairOf = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  { primary, secondary }: { readonly primary: string; readonly secondary: string },
): Effect.fn.Return<Pair, InvalidRequest> {
  const [one, other] = [primary, secondary].map((svcId) => personKeyOf(workspace, svcId))
  if (one === undefined || other === undefined || one === other) {
    return yield* new InvalidRequest({ detail: problemTexts.noPair() })
  }
  return { primary: one, secondary: other }
})

/** Returns the positions that are asked for, as far as the log has them. */
const rangeOf = Effect.fnUntraced(function* (
  catalog: Catalog["Service"],
  workspace: WorkspaceId,
  { from, to }: NewWhatIf,
  days: number,
) {
  const newest = yield* newestSequence(catalog, workspace)
  if (newest === null) return null
  const prunedTo = yield* catalog.prunedTo(workspace)
  const last = Sequence.make(Math.min(to ?? newest, newest))
  if (from !== undefined) {
    if (from <= prunedTo) return yield* wrong(problemTexts.whatIfPruned({ position: prunedTo + 1 }))
    return from > last ? null : { from, to: last }
  }
  const since = (yield* Clock.currentTimeMillis) - days * dayMs
  const before = yield* firstReceivedSince(catalog, workspace, since)
  const first = Sequence.make(Math.max(before ?? 0, prunedTo) + 1)
  return first > last ? null : { from: first, to: last }
})
