import type { ActivitySource } from "@inlet/core/log/ActivityEntry"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { Brand } from "./Brand.ts"

/** What is known of an operation before it is read: for whom, whence and when it was received. */
export interface Receipt {
  readonly workspace: Workspace
  readonly brand: Brand
  readonly source: ActivitySource
  readonly receivedAt: EpochMillis
  /** The place in its batch; null outside one. */
  readonly batchIndex: number | null
}
