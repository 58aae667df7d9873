import { ErasureRecord } from "@inlet/core/ledger/ErasureRecord"
import type { Digest } from "@inlet/core/ports/Digest"
import { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { toIso } from "@inlet/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { inspectsAll, Requirement } from "./Access.ts"
import { ProblemAnswers } from "./Authorization.ts"
import { ExportBroken, ExportEnd } from "./Exports.ts"
import { IsoTime } from "./IsoTime.ts"
import { Forbidden } from "./Problem.ts"

const digests = Schema.Array(Schema.String)

/** A line of the file that `inlet erasure ledger` writes and `inlet restore --ledger` reads. */
export const LedgerLine = Schema.Struct({
  environment_id: WorkspaceId,
  position: Sequence.annotate({ description: "the log position of the operation" }),
  at: IsoTime,
  action: ErasureRecord.fields.action,
  subjects: Schema.NonEmptyArray(Schema.String).annotate({
    description:
      "digests of the keys of the person, and of the visitors and merged people who belonged to them",
  }),
  identifiers: digests.annotate({ description: "digests of the person's identifiers" }),
  addresses: digests.annotate({ description: "digests of the person's email address" }),
  next_key: SubjectKey,
  key_id: Schema.String.annotate({
    description: "names the digest key, so that the ledger of another installation is not applied",
  }),
}).annotate({
  identifier: "ErasureLedgerLine",
  description: "a record of the erasure ledger: who was deleted or suppressed, by keyed digests only",
})
export type LedgerLine = typeof LedgerLine.Type

const keyIdDigits = 16

/** Returns the name of the key with which an installation computes digests. */
export const digestKeyId = (digest: Digest["Service"]): string =>
  digest.of("erasure ledger").slice(0, keyIdDigits)

export const ledgerLine = (
  { action, addresses, at, identifiers, nextKey, position, subjects, workspace }: ErasureRecord,
  keyId: string,
): LedgerLine => ({
  environment_id: workspace,
  position,
  at: toIso(at),
  action,
  subjects,
  identifiers,
  addresses,
  next_key: nextKey,
  key_id: keyId,
})

export const recordInLine = (line: LedgerLine): ErasureRecord => ({
  workspace: line.environment_id,
  position: line.position,
  at: Date.parse(line.at),
  action: line.action,
  subjects: line.subjects,
  identifiers: line.identifiers,
  addresses: line.addresses,
  nextKey: line.next_key,
})

export class ErasuresGroup extends HttpApiGroup.make("erasures")
  .add(
    HttpApiEndpoint.get("ledger", "/erasure-ledger", {
      success: HttpApiSchema.StreamNdjson({ schema: Schema.Union([LedgerLine, ExportEnd, ExportBroken]) }),
      error: Forbidden,
    }).annotate(Requirement, inspectsAll),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Erasures" })) {}
