import { isQuietReplay } from "@inlethq/contract/transfer/ReplayedEntry"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { everyForward, type Forward } from "@inlethq/core/forward/Forward"
import { forwardSendersMax, passageIn } from "@inlethq/core/forward/passage"
import { provenanceOf } from "@inlethq/core/log/ActivityEntry"
import { tookEffect } from "@inlethq/core/log/Outcome"
import { isErasingKind } from "@inlethq/log/call/forwardedCalls"
import { activityDocument } from "@inlethq/log/documents/activityDocument"
import { entryMatcher, type EntryMatcher } from "@inlethq/log/filter/matchFilter"
import { parseFilter } from "@inlethq/log/filter/parseFilter"
import { Effect } from "effect"

/** Makes the function that says whether a forward sends an entry. */
export const choiceOf = (forward: Forward) =>
  Effect.map(matcherOf(forward), (matches) => isChosenBy(forward, matches))

/**
 * Returns what checks the whole filter. The store applies none of it, because what was erased is sent whatever the filter says.
 * An invalid filter is a defect, because filters are checked before they are saved.
 */
const matcherOf = ({ filter }: Forward): Effect.Effect<EntryMatcher | null> =>
  filter === null
    ? Effect.succeed(null)
    : Effect.map(Effect.orDie(Effect.fromResult(parseFilter(filter))), entryMatcher)

/** Returns whether a forward sends an entry. */
const isChosenBy =
  ({ name }: Pick<Forward, "name">, matches: EntryMatcher | null) =>
  (record: ActivityRecord): boolean => {
    const { entry, sender } = record
    if (!tookEffect(entry.outcome) || entry.kind === null || entry.kind === "segment_change") return false
    if (isQuietReplay(entry) || passageIn(sender?.via).length >= forwardSendersMax) return false
    if (isErasingKind(entry.kind)) return true
    if (!isWanted(provenanceOf(entry).integrations ?? {}, name)) return false
    return matches === null || matches(activityDocument(record, "svc"))
  }

/** `integrations` choose by name. What they do not name is chosen unless `All` is false (pipelines-api §2.1). */
const isWanted = (integrations: Readonly<Record<string, unknown>>, name: string): boolean => {
  const own = Object.hasOwn(integrations, name) ? integrations[name] : undefined
  const chosen = own ?? integrations[everyForward]
  return chosen !== false
}
