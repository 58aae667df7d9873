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
import { newPublicId } from "../../credentials/Secret.ts"
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
  // The salt is thrown away, so that nobody can find a value by trying what its replacement would be.
  const salt = yield* newPublicId
  const making = { snapshot: catalog, workspace, version: manifest.version, nextKey, salt }
  const made = yield* makeCapsule(making, record)
  if (Result.isSuccess(made)) return encodeCapsule(made.success)
  return yield* new Conflict({ detail: problemTexts.noCapsule({ reason: callSentence(made.failure) }) })
})
