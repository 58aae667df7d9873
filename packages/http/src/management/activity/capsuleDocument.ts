import { createHmac, randomBytes } from "node:crypto"
import { Conflict } from "@inlethq/contract/access/Problem"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { Catalog } from "@inlethq/core/catalog/Catalog"
import { needsOf } from "@inlethq/core/CommandTable"
import type { Store } from "@inlethq/core/ports/Store"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { callSentence } from "@inlethq/log/call/callTexts"
import { encodeCapsule } from "@inlethq/log/trial/Capsule"
import { makeCapsule } from "@inlethq/log/trial/makeCapsule"
import { Effect, Result } from "effect"
import manifest from "../../../package.json" with { type: "json" }
import { problemTexts } from "../../problems/problemTexts.ts"

interface Stores {
  readonly catalog: Catalog["Service"]
  readonly store: Store["Service"]
}

/** Packs the decision of an operation, or fails with a 409 that says why this is not possible. */
export const capsuleDocument = Effect.fnUntraced(function* (
  { catalog, store }: Stores,
  workspace: Workspace,
  record: ActivityRecord,
) {
  const { nextKey } = yield* store.view(needsOf(workspace.id, []))
  // Each capsule has a key of its own, which is thrown away.
  const key = yield* Effect.sync(() => randomBytes(32))
  const digest = (text: string) => createHmac("sha256", key).update(text).digest()
  const making = { snapshot: catalog, workspace, version: manifest.version, nextKey, digest }
  const made = yield* makeCapsule(making, record)
  if (Result.isSuccess(made)) return encodeCapsule(made.success)
  return yield* new Conflict({ detail: problemTexts.noCapsule({ reason: callSentence(made.failure) }) })
})
