import type { ActivityEntry } from "../log/ActivityEntry.ts"
import type { UnmergePeople } from "./commands.ts"
import { svcIdKey, type SubjectKey, type WorkspaceId } from "../values/Identifier.ts"
import { isJsonObject, type Json } from "../values/Json.ts"

/** A merge that an entry records, and what is needed to undo it. */
export interface RecordedMerge {
  readonly primary: SubjectKey
  readonly secondary: SubjectKey
  readonly receipt: UnmergePeople["receipt"]
}

/** Returns the merge that an entry records, or null if it records none, or no longer says what the merge overwrote. */
export const mergeIn = ({
  data,
  effects,
  kind,
  overwritten,
  receivedAt,
  sequence,
  subject: primary,
  workspace,
}: ActivityEntry): RecordedMerge | null => {
  const secondary = kind === "merge" ? secondaryIn(data, workspace) : undefined
  const own = overwritten.find(({ subject }) => subject === primary)
  const theirs = overwritten.find(({ subject }) => subject === secondary)
  if (primary === null || secondary === undefined || own?.before == null || theirs?.before == null)
    return null
  const ruled = effects.flatMap(({ change, segment, subject, version }) =>
    subject === secondary && change === "left" ? [{ segment, version }] : [],
  )
  const before = { primary: own.before, secondary: theirs.before }
  return { primary, secondary, receipt: { position: sequence, mergedAt: receivedAt, ...before, ruled } }
}

/** Returns who is a person again because of an operation, or undefined if it undid no merge. */
export const unmergedIn = (data: Json, workspace: WorkspaceId): SubjectKey | undefined =>
  secondaryIn(isJsonObject(data) ? (data["unmerge"] ?? null) : null, workspace)

/** The entry of a merge names both people by their `svc_id`. */
const secondaryIn = (data: Json, workspace: WorkspaceId): SubjectKey | undefined => {
  const named = isJsonObject(data) ? (data["secondary"] ?? null) : null
  const svcId = isJsonObject(named) ? named["svc_id"] : undefined
  return typeof svcId === "string" ? svcIdKey(workspace, svcId) : undefined
}
