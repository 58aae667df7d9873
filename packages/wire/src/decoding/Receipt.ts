import type { ActivitySource } from "@inlethq/core/log/ActivityEntry"
import type { SenderId } from "@inlethq/core/log/Sender"
import type { Provenance } from "@inlethq/core/log/Provenance"
import type { EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { Brand } from "./Brand.ts"

/** A workspace, with the key that opened it and the sender of the call. Both are missing if no key opened it. */
export interface OpenedWorkspace extends Workspace {
  readonly openedBy?: { readonly id: string; readonly name: string }
  readonly sender?: SenderId | null
}

/** What is known of the client of a request. */
export interface Client {
  readonly path: string
  readonly userAgent: string | null
  /** As the connection or a trusted proxy says. What is stored of it is cut by the setting `ip` of the workspace. */
  readonly address: string | null
  /** Returns the place of an address. Missing if the server has no database of places. */
  readonly locate?: (address: string) => Provenance["geo"]
  /** True if a page of another origin sent the request. Otherwise missing. */
  readonly hasOrigin?: true
  /** True if the client asked for errors in the answer (pipelines-api §7). Otherwise missing. */
  readonly strict?: true
  /** True if another workspace has sent the call on, maybe more than once. Otherwise missing. */
  readonly isForwarded?: true
}

/** Facts about an operation that are known before its body is decoded. */
export interface Receipt {
  readonly workspace: OpenedWorkspace
  readonly brand: Brand
  readonly source: ActivitySource
  readonly receivedAt: EpochMillis
  /** The operation's index in its batch, from 0. Null if the operation is not part of a batch. */
  readonly batchIndex: number | null
  /** Missing if the operation did not arrive over HTTP. */
  readonly client?: Client | undefined
  /** True if the values of the call were cells of a CSV file, so that a text is also the number or boolean that it spells. */
  readonly areCells?: boolean
}
