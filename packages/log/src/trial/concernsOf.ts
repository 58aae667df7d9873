import { provenanceOf, type ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { noteTexts } from "@inlethq/core/log/operationTexts"
import { isSameWorkspace, type Workspace } from "@inlethq/core/workspace/Workspace"
import { isFixedEmail } from "../call/identifyEntities.ts"

/** Returns whether an operation that took effect could have taken another effect. */
export type Concerns = (entry: ActivityEntry) => boolean

/** Settings of which an entry says whether they had a part in its operation. Others can concern every operation. */
const concernsBySetting = {
  context: () => false,
  bots: (entry) => provenanceOf(entry).bot === true,
  placeholderIds: ({ reasons }) => reasons.some(({ code }) => code === placeholderCode),
  emailUpdateById: ({ changes, refused }) =>
    refused.some(isFixedEmail) || changes.some(({ from, path }) => path === "email" && from !== null),
  eventMerging: ({ overwritten, refused }) =>
    refused.length > 0 || overwritten.some(({ before }) => before === null || before.attached !== undefined),
} as const satisfies Partial<Record<keyof Workspace, Concerns>>

const placeholderCode = noteTexts.placeholderId.code

/** Returns which operations the settings that differ between two workspaces could concern. */
export const concernsOf = (now: Workspace, tried: Workspace): Concerns => {
  const { bots, context, emailUpdateById, eventMerging, placeholderIds } = now
  if (!isSameWorkspace(now, { ...tried, bots, context, emailUpdateById, eventMerging, placeholderIds }))
    return () => true
  const found: Array<Concerns> = []
  if (bots !== tried.bots) found.push(concernsBySetting.bots)
  if (emailUpdateById !== tried.emailUpdateById) found.push(concernsBySetting.emailUpdateById)
  if (eventMerging !== tried.eventMerging) found.push(concernsBySetting.eventMerging)
  if (placeholderIds !== tried.placeholderIds) found.push(concernsBySetting.placeholderIds)
  return (entry) => found.some((concerns) => concerns(entry))
}
