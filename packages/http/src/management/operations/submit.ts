import { InvalidRequest } from "@inlethq/contract/access/Problem"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import type { Command } from "@inlethq/core/Command"
import type { Envelope } from "@inlethq/core/fold/Envelope"
import type { Ingest } from "@inlethq/engine/commits/Ingest"
import { utf8Bytes } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { BrandInUse } from "../../BrandInUse.ts"
import { managementEnvelope } from "./managementEnvelope.ts"

/**
 * Applies an operator's command in one commit, and returns the key of the affected person or object. Fails with
 * `missing` if that person or object does not exist, and with a 400 if the command was rejected.
 */
export const submit = Effect.fnUntraced(function* <Missing>(
  ingest: Ingest["Service"],
  workspace: Workspace,
  payload: unknown,
  missing: Missing,
  command: (envelope: Envelope) => Command,
) {
  const envelope = yield* managementEnvelope(workspace)
  const [entry] = yield* ingest.submit([command(envelope)], utf8Bytes(JSON.stringify(payload)))
  if (entry?.outcome === "rejected")
    return yield* new InvalidRequest({ detail: sentenceOf(yield* BrandInUse, entry.reasons) ?? "" })
  if (entry?.subject == null) return yield* Effect.fail(missing)
  return entry.subject
})
