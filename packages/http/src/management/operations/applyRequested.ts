import { decodeCall } from "@inlethq/log/call/decodeCall"
import { decodeOperation } from "@inlethq/wire/operations/decodeOperation"
import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import { noReasons } from "@inlethq/core/log/Reason"
import { defaultBrand } from "@inlethq/wire/decoding/Brand"
import type { Receipt } from "@inlethq/wire/decoding/Receipt"
import type { Command } from "@inlethq/core/Command"
import { operationIdText } from "@inlethq/core/values/Identifier"
import type { UnmergePeople } from "@inlethq/core/person/commands"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import { utf8Bytes } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Clock, Effect, Result } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { sentNow } from "../../access/sentNow.ts"
import { note } from "../../audit/note.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import type { Requested } from "./requestedOperation.ts"

/**
 * Applies what an operator asks for, in one commit with its log entry. It is decoded like a call of an ingestion API, so the
 * same rules and limits apply to it, unless it is the end of a merge (`unmerge`). Fails with a 400 if it was rejected.
 */
export const applyRequested = Effect.fnUntraced(function* (
  ingest: Ingest["Service"],
  workspace: Workspace,
  requested: Requested,
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
  const command = unmerge ?? (yield* commandOf(receipt, requested))
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

/**
 * Decodes what an operator asks for. A call is decoded as its API does. It has no deduplication key, because with the key of
 * the first call it would be a duplicate.
 */
const commandOf = Effect.fnUntraced(function* (
  receipt: Receipt,
  requested: Requested,
): Effect.fn.Return<Command, InvalidRequest> {
  if ("type" in requested) return Result.merge(decodeOperation(receipt, requested))
  const [command, ...others] = decodeCall(receipt, requested) ?? []
  if (command === undefined || others.length > 0) {
    return yield* new InvalidRequest({ detail: problemTexts.unknownCall() })
  }
  return { ...command, source: receipt.source, batchIndex: null, deduplicationKey: null }
})
