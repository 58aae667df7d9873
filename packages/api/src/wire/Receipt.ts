import type { ActivitySource } from "@inlet/core/log/ActivityEntry"
import type { EpochMillis } from "@inlet/core/values/Timestamp"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { Brand } from "./Brand.ts"

/** Facts about an operation that are known before its body is decoded. */
export interface Receipt {
  readonly workspace: Workspace
  readonly brand: Brand
  readonly source: ActivitySource
  readonly receivedAt: EpochMillis
  /** The operation's index in its batch, from 0. Null if the operation is not part of a batch. */
  readonly batchIndex: number | null
}
