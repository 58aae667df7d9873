import { noErasedRows, type ErasedRows } from "@inlethq/core/ledger/ErasedRows"
import { ErasureRecord, type ErasurePlace } from "@inlethq/core/ledger/ErasureRecord"
import { unsealedMax, type LedgerPlace, type SignedReceipt } from "@inlethq/core/ports/ErasureLedger"
import type { Page } from "@inlethq/core/values/Page"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { sealedNames } from "@inlethq/core/forward/sealedNames"
import type { WorkingSet, WrittenErasure } from "@inlethq/core/fold/WorkingSet"
import { Schema, Struct } from "effect"
import { integer, integerOrNull, text, textOrNull, type Row } from "../columns/columns.ts"
import { sequenceOf, workspaceId } from "../columns/ids.ts"

/** A row of the table `erasures`, without its workspace. */
export interface ErasureRow {
  readonly at: number
  readonly position: number
  readonly doc: string
  /** Whether the erasure gets a receipt. The release of a suppression erases nothing. */
  readonly hasReceipt: boolean
  /**
   * A subject of an erasure that was repeated, or null for any other. The reader of the lake does not meet it in the log at its
   * position, so it is noticed for the lake at once.
   */
  readonly repeatedOn: SubjectKey | null
  /** The identifiers that forwards have to tell, as `sealNames` encrypts them. Null if there is none to tell. */
  readonly sealed: string | null
}

const Doc = Schema.fromJsonString(ErasureRecord.mapFields(Struct.omit(["workspace", "position", "at"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

export const erasureRow = (
  { digest }: Pick<WorkingSet, "digest">,
  { isRepeated, named, record, subjects: [subject] }: WrittenErasure,
): ErasureRow => ({
  at: record.at,
  position: record.position,
  doc: encodeDoc(record),
  hasReceipt: record.action !== "unsuppress",
  repeatedOn: isRepeated && record.action !== "unsuppress" ? subject : null,
  sealed: sealedNames(digest, record, named),
})

export const erasureFromRow = (row: Row): ErasureRecord => ({
  ...decodeDoc(text(row["doc"])),
  workspace: workspaceId(integer(row["workspace"])),
  position: sequenceOf(integer(row["position"])),
  at: integer(row["at"]),
})

const Receipt = Schema.fromJsonString(Schema.Struct({ text: Schema.String, signature: Schema.String }))

/** The column `doc` of a sealed receipt. */
export const receiptDoc: (receipt: SignedReceipt) => string = Schema.encodeSync(Receipt)

const decodeReceipt = Schema.decodeUnknownSync(Receipt)

/** Returns the receipt in a row of `erasure_receipts`, or null if there is no row or it is not sealed. */
export const receiptFromRow = (row: Row | undefined): SignedReceipt | null => {
  const doc = row === undefined ? null : textOrNull(row["doc"])
  return doc === null ? null : decodeReceipt(doc)
}

/** Returns the counts in a row of `erasure_receipts`. Nothing is erased if there is no row. */
export const erasedRowsFrom = (row: Row | undefined): ErasedRows => {
  if (row === undefined) return noErasedRows
  const first = integerOrNull(row["first_entry"] ?? null)
  const last = integerOrNull(row["last_entry"] ?? null)
  return {
    events: integer(row["events"]),
    entries: integer(row["entries"]),
    mentions: integer(row["mentions"]),
    deliveries: integer(row["deliveries"]),
    answers: integer(row["answers"]),
    from: first === null ? null : sequenceOf(first),
    to: last === null ? null : sequenceOf(last),
  }
}

/** Returns a page of at most `wanted` records. `rows` has one more row if there is a next page. */
export const erasurePage = (rows: ReadonlyArray<Row>, wanted: number): Page<ErasureRecord, ErasurePlace> => {
  const items = rows.slice(0, wanted).map(erasureFromRow)
  const last = items.at(-1)
  return {
    items,
    next: rows.length > wanted && last !== undefined ? { at: last.at, position: last.position } : null,
  }
}

/**
 * Returns a page of the records whose receipts are not sealed. `rows` has one more row if there is a next page, and no document
 * of receipts that wait for a lake.
 */
export const unsealedPage = (rows: ReadonlyArray<Row>): Page<ErasureRecord, LedgerPlace> => {
  const looked = rows.slice(0, unsealedMax)
  const last = looked.at(-1)
  return {
    items: looked.flatMap((row) => (row["doc"] === null ? [] : [erasureFromRow(row)])),
    next:
      rows.length > unsealedMax && last !== undefined
        ? {
            at: integer(last["at"]),
            workspace: workspaceId(integer(last["workspace"])),
            position: sequenceOf(integer(last["position"])),
          }
        : null,
  }
}
