import { NamedToken } from "@inlet/core/workspace/NamedToken"
import { Schema, Struct } from "effect"
import { integer, integerOrNull, text, type Row } from "./columns.ts"
import { fromStored } from "./storedText.ts"

const Doc = Schema.fromJsonString(NamedToken.mapFields(Struct.omit(["tokenId", "createdAt", "usedAt"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

/** Returns the column `doc` of a token. Its id, creation time and last use have columns of their own. */
export const tokenDoc = ({ createdAt: _1, tokenId: _2, usedAt: _3, ...rest }: NamedToken): string =>
  encodeDoc(rest)

export const tokenFromRow = (row: Row): NamedToken => ({
  ...decodeDoc(row["doc"]),
  tokenId: fromStored(text(row["id"])),
  createdAt: integer(row["created"]),
  usedAt: integerOrNull(row["used"] ?? null),
})
