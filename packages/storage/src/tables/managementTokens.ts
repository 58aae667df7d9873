import { namedTokensMax, TooManyTokens, type ManagementTokens } from "@inlethq/core/ports/ManagementTokens"
import { NamedToken } from "@inlethq/core/workspace/NamedToken"
import { Effect, Option, Schema, Struct } from "effect"
import { integer, integerOrNull, text, type Row } from "../columns/columns.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import { wholeInstallation } from "../columns/transferTables.ts"
import type { Tables } from "./Tables.ts"

/** The id, the creation time and the last use of a token have columns of their own. */
const Doc = Schema.fromJsonString(NamedToken.mapFields(Struct.omit(["tokenId", "createdAt", "usedAt"])))
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

const tokenFromRow = (row: Row): NamedToken => ({
  ...decodeDoc(row["doc"]),
  tokenId: fromStored(text(row["id"])),
  createdAt: integer(row["created"]),
  usedAt: integerOrNull(row["used"] ?? null),
})

const columns = "id, created, used, doc"

const addSql = `
  INSERT INTO management_tokens (workspace, ${columns})
  SELECT ${wholeInstallation}, $1, $2, $3, $4 WHERE (SELECT count(*) FROM management_tokens) < ${namedTokensMax}`

const useSql = "UPDATE management_tokens SET used = $1 WHERE id = $2 AND coalesce(used, -1) < $1"

export const makeManagementTokens = (tables: Tables): ManagementTokens["Service"] => ({
  all: Effect.map(
    tables.read("read management tokens", `SELECT ${columns} FROM management_tokens`),
    // Databases sort texts differently.
    (rows) => rows.map(tokenFromRow).toSorted(byAge),
  ),
  add: ({ createdAt, tokenId, usedAt, ...rest }) =>
    tables
      .write("add a management token", wholeInstallation, (ask) =>
        ask.run(addSql, toStored(tokenId), createdAt, usedAt, encodeDoc(rest)),
      )
      .pipe(Effect.flatMap((added) => (added > 0 ? Effect.void : Effect.fail(new TooManyTokens())))),
  revoke: (tokenId) =>
    tables.write("revoke a management token", wholeInstallation, (ask) =>
      Effect.map(
        ask.rows(`DELETE FROM management_tokens WHERE id = $1 RETURNING ${columns}`, toStored(tokenId)),
        ([row]) => Option.map(Option.fromUndefinedOr(row), tokenFromRow),
      ),
    ),
  // The order of the ids keeps two nodes from a deadlock.
  used: (uses) =>
    tables.write("record the use of management tokens", wholeInstallation, (ask) =>
      ask.runEach(
        useSql,
        [...uses].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([tokenId, at]) => [at, toStored(tokenId)]),
      ),
    ),
})

const byAge = (a: NamedToken, b: NamedToken): number =>
  a.createdAt - b.createdAt || (a.tokenId < b.tokenId ? -1 : 1)
