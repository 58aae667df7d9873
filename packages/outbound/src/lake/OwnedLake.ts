import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"

/** A lake that one reader writes, until another one claims its cursor. */
export interface OwnedLake {
  readonly workspace: WorkspaceId
  readonly token: number
  readonly target: LakeTarget
}
