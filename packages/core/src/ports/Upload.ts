import type { WorkspaceId } from "../values/Identifier.ts"
import type { EpochMillis } from "../values/Timestamp.ts"

/** The time for which a part of an upload stays registered, in milliseconds. */
export const uploadRetentionMs = 30 * 24 * 60 * 60 * 1000

/** One part of a file. The client chooses the name of the upload. */
export interface UploadPart {
  readonly workspace: WorkspaceId
  /** The name of the upload and the number of this part, joined into one text that is unique in the workspace. */
  readonly name: string
  /** The digest of the file up to the end of this part. */
  readonly digest: string
  readonly at: EpochMillis
}
