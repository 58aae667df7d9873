import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** How long a part of an upload stays registered. */
export const uploadRetentionMs = 30 * 24 * 60 * 60 * 1000

/** A part of a file that was uploaded under a name of the client's. */
export interface UploadPart {
  readonly workspace: WorkspaceId
  /** Names the upload and the part, uniquely in the workspace. */
  readonly name: string
  /** The digest of the file up to the end of the part. */
  readonly digest: string
  readonly at: EpochMillis
}
