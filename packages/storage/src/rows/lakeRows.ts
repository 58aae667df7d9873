import { LakeFile, LakeRewrite, type LakeErasure, type ReplacedFile } from "@inlethq/core/ports/LakeFiles"
import { Schema } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { sequenceOf, subjectKey } from "../columns/ids.ts"

const Doc = Schema.fromJsonString(LakeFile)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

/** Returns the column `doc` of a file. */
export const lakeFileDoc = (file: LakeFile): string => encodeDoc(file)

/** Returns the files in rows, by table and position. */
export const lakeFilesIn = (rows: ReadonlyArray<Row>): ReadonlyArray<LakeFile> =>
  rows
    .map((row) => decodeDoc(text(row["doc"])))
    .toSorted((a, b) => (a.table < b.table ? -1 : a.table > b.table ? 1 : a.from - b.from))

export const replacedFromRow = (row: Row): ReplacedFile => ({
  path: text(row["path"]),
  replacedAt: integer(row["replaced"]),
})

export const lakeErasureFromRow = (row: Row): LakeErasure => ({
  position: sequenceOf(integer(row["position"])),
  subject: subjectKey(integer(row["subject"])),
  receivedAt: integer(row["received"]),
})

const Rewrite = Schema.fromJsonString(LakeRewrite)

/** The column `doc` of a rewrite. */
export const lakeRewriteDoc: (rewrite: LakeRewrite) => string = Schema.encodeSync(Rewrite)

const decodeRewrite = Schema.decodeUnknownSync(Rewrite)

export const lakeRewriteFromRow = (row: Row): LakeRewrite => decodeRewrite(text(row["doc"]))
