import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { CopyRefused, copyStore, type CopyProgress } from "@inlethq/storage/transfer/copyStore"
import { Effect } from "effect"
import { hash } from "node:crypto"
import { keepHeapSmall } from "../heap.ts"
import { digestWith } from "../digestWith.ts"
import { isSameDirectory, openSource, openTarget, type StoreName } from "./stores.ts"
import { transferTexts } from "./transferTexts.ts"

export interface CopyOptions {
  readonly from: StoreName
  readonly to: StoreName
  /** The workspace to copy, or null to copy all workspaces. */
  readonly workspace: WorkspaceId | null
  readonly report: (progress: CopyProgress) => Effect.Effect<void>
  /** Runs if the copy has to wait until no server uses the source or the target. */
  readonly onWait: Effect.Effect<void>
}

/**
 * Copies everything from a store to an empty store, or one workspace to any store. Resumes a copy that was interrupted.
 * Locks both stores, so that no server uses them.
 */
export const copy = ({ from, onWait, report, to, workspace }: CopyOptions) =>
  Effect.gen(function* () {
    yield* Effect.sync(keepHeapSmall)
    if (isSameDirectory(from, to)) return yield* new CopyRefused({ problem: transferTexts.sameStore() })
    const { name: sourceName, secrets, source } = yield* openSource(from, onWait)
    const { expectDigestKey, name: targetName, saveSecrets, target } = yield* openTarget(to, onWait)
    return yield* copyStore({
      source,
      target,
      names: { source: sourceName, target: targetName },
      digest: digestWith(secrets.digestKey),
      sourceDigest: hash("sha256", secrets.digestKey, "hex"),
      only: workspace,
      saveSecrets: saveSecrets(secrets),
      expectSameDigests: expectDigestKey(secrets.digestKey),
      report,
    })
  }).pipe(Effect.scoped)
