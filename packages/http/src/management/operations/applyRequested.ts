import { decodeOperation } from "@inlet/api/management/decodeOperation"
import { InvalidRequest } from "@inlet/api/management/Problem"
import { sentenceOf } from "@inlet/api/texts/sentences"
import { noReasons } from "@inlet/core/log/Reason"
import { defaultBrand } from "@inlet/api/wire/Brand"
import { operationIdText } from "@inlet/core/values/Identifier"
import type { UnmergePeople } from "@inlet/core/person/commands"
import type { Ingest } from "@inlet/engine/commits/Ingest"
import { utf8Bytes, type JsonObject } from "@inlet/core/values/Json"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import { Clock, Effect, Result } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { sentNow } from "../../access/sentNow.ts"
import { note } from "../../audit/note.ts"

/**
 * Applies an operation that an operator asks for, in one commit with its log entry. The operation is decoded like a
 * call of the Track API, so the same rules and limits apply to it, unless it is the end of a merge (`unmerge`). Fails with a 400 if the operation was rejected.
 */
export const applyRequested = Effect.fnUntraced(function* (
  ingest: Ingest["Service"],
  workspace: Workspace,
  requested: JsonObject,
  unmerge: UnmergePeople | null,
) {
  const receivedAt = yield* Clock.currentTimeMillis
  const receipt = {
    workspace: yield* sentNow(workspace),
    brand: defaultBrand,
    source: "management",
    receivedAt,
    batchIndex: null,
  } as const
  const decoded = unmerge === null ? decodeOperation(receipt, requested) : Result.succeed(unmerge)
  const command = Result.isSuccess(decoded) ? decoded.success : decoded.failure
  const [entry] = yield* ingest.submit([command], utf8Bytes(JSON.stringify(requested)))
  if (entry !== undefined) {
    const { kind, outcome, sequence } = entry
    yield* note({
      target: { id: operationIdText(workspace.id, sequence, null) },
      details: { kind, outcome },
    })
  }
  if (entry === undefined || entry.outcome === "rejected") {
    return yield* new InvalidRequest({
      detail: sentenceOf(yield* BrandInUse, entry?.reasons ?? noReasons) ?? "",
    })
  }
  return entry
})
