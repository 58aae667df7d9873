import { ErasureCursor } from "@inlethq/contract/values/Cursor"
import { digestKeyId, ErasureDocument, erasurePlaceIn } from "@inlethq/contract/transfer/Erasures"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { pageRequest } from "@inlethq/contract/values/Page"
import { byPlace, type ErasurePlace, type ErasureRecord } from "@inlethq/core/ledger/ErasureRecord"
import { Digest } from "@inlethq/core/ports/Digest"
import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { ForwardStore } from "@inlethq/core/ports/ForwardStore"
import { LakeFiles } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import type { Page } from "@inlethq/core/values/Page"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { orUnavailable } from "../../problems/problems.ts"
import { problemTexts } from "../../problems/problemTexts.ts"
import { foundOr404, workspaceAt } from "../answers/lookup.ts"
import { pageAnswer, pageCharactersMax } from "../answers/pageAnswer.ts"
import { exportResponse } from "../exports/exportResponse.ts"
import { ledgerLines } from "./ledgerLines.ts"
import { publicPem, receiptKey } from "./receiptKey.ts"
import { erasureDocument, lakeReader, stateReader, untoldReader } from "./receipts.ts"

const noSuchErasure = problemTexts.notFound({ thing: "erasure" })

const answerErasures = pageAnswer((one: ErasureDocument) => one, ErasureDocument, ErasureCursor)

export const erasureHandlers = HttpApiBuilder.group(
  ManagementApi,
  "erasures",
  Effect.fnUntraced(function* (handlers) {
    const registry = yield* Registry
    const ledger = yield* ErasureLedger
    const lake = yield* LakeFiles
    const cursors = yield* LogCursors
    const forwards = yield* ForwardStore
    const digest = yield* Digest
    const turns = yield* Turns
    const pem = publicPem(receiptKey(digest))

    return handlers.handleAll({
      list: Effect.fn("management.erasures.list")(function* ({ params, query }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { id } = workspace
        const { items, next } = yield* ledger.read(id, pageRequest(query))
        const stateOf = yield* stateReader(ledger, digest, id)
        const waitsForLake = yield* lakeReader(cursors, lake, workspace, items)
        const untoldOf = yield* untoldReader(forwards, id)
        const documentOf = (record: ErasureRecord) =>
          erasureDocument(ledger, stateOf, waitsForLake, untoldOf, record)
        return yield* answerErasures(turns, yield* documentsOf({ items, next }, documentOf))
      }, orUnavailable),

      get: Effect.fn("management.erasures.get")(function* ({ params }) {
        const workspace = yield* workspaceAt(registry, params.w)
        const { id } = workspace
        const place = yield* foundOr404(
          Option.fromUndefinedOr(erasurePlaceIn(params.erasure_id)),
          noSuchErasure,
        )
        const record = yield* foundOr404(yield* recordAt(ledger, id, place), noSuchErasure)
        const stateOf = yield* stateReader(ledger, digest, id)
        return yield* erasureDocument(
          ledger,
          stateOf,
          yield* lakeReader(cursors, lake, workspace, [record]),
          yield* untoldReader(forwards, id),
          record,
        )
      }, orUnavailable),

      key: Effect.fn("management.erasures.key")(() =>
        Effect.succeed({ algorithm: "Ed25519", key_id: digestKeyId(digest), pem } as const),
      ),

      ledger: Effect.fn("management.erasures.ledger")(() => exportResponse(ledgerLines(ledger, digest))),
    })
  }),
)

/**
 * Reads the erasures of a page of records. A receipt can name a thousand files, so the page ends before its documents
 * exceed `pageCharactersMax`, but never before the first.
 */
const documentsOf = Effect.fnUntraced(function* (
  { items, next }: Page<ErasureRecord, ErasurePlace>,
  documentOf: (record: ErasureRecord) => Effect.Effect<ErasureDocument, StoreUnavailable>,
): Effect.fn.Return<Page<ErasureDocument, ErasurePlace>, StoreUnavailable> {
  const shown: Array<ErasureDocument> = []
  let characters = 0
  let last: ErasurePlace | null = null
  for (const record of items) {
    if (record.action !== "unsuppress") {
      const document = yield* documentOf(record)
      characters += JSON.stringify(document).length
      if (shown.length > 0 && characters > pageCharactersMax) return { items: shown, next: last }
      shown.push(document)
    }
    last = { at: record.at, position: record.position }
  }
  return { items: shown, next }
})

/** Reads the record at a place, or nothing if there is none or it is the release of a suppression. */
const recordAt = Effect.fnUntraced(function* (
  ledger: ErasureLedger["Service"],
  workspace: WorkspaceId,
  place: ErasurePlace,
) {
  const { at, position } = place
  const after =
    position === 1
      ? { at: at - 1, position: Sequence.make(Number.MAX_SAFE_INTEGER) }
      : { at, position: Sequence.make(position - 1) }
  const { items } = yield* ledger.read(workspace, { after, limit: 1, order: "asc" })
  const [found] = items
  const isIt = found !== undefined && byPlace(found, place) === 0 && found.action !== "unsuppress"
  return isIt ? Option.some(found) : Option.none()
})

/** The public key of receipts as a file, which needs no token. */
export const publicKeyRoute = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const pem = publicPem(receiptKey(yield* Digest))
    yield* router.add(
      "GET",
      `${managementPath}/erasure-key.pem`,
      HttpServerResponse.text(pem, { contentType: "application/x-pem-file" }),
    )
  }),
)
