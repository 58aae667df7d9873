import type { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import type { ManagementClient } from "@inlethq/sdk/management/ManagementClient"

/** The part of a log that is replayed. */
export interface ReplayQuery {
  readonly from?: Sequence
  readonly to?: Sequence
  readonly filter?: string
}

export interface ReplaySource {
  readonly client: ManagementClient["Service"]
  readonly workspace: WorkspaceId
  readonly query: ReplayQuery
}
