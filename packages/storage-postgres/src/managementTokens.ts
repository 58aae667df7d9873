import { namedTokensMax, TooManyTokens, type ManagementTokens } from "@inlet/core/ports/ManagementTokens"
import { toStored } from "@inlet/storage/storedText"
import { tokenDoc, tokenFromRow } from "@inlet/storage/tokenRows"
import { Effect, Option } from "effect"
import { installation, type Database } from "./engine/Database.ts"
import { int8s, texts } from "./engine/parameters.ts"

const columns = "id, created, used, doc"

const addSql = `
  INSERT INTO management_tokens (workspace, ${columns})
  SELECT ${installation}, $1, $2, $3, $4 WHERE (SELECT count(*) FROM management_tokens) < ${namedTokensMax}`

// The rows are locked in the order of their ids, so that two nodes do not deadlock.
const usedSql = `
  WITH given AS (SELECT id, at FROM unnest($1::text[], $2::bigint[]) AS given (id, at)),
  found AS (SELECT id FROM management_tokens WHERE id IN (SELECT id FROM given) ORDER BY id FOR UPDATE)
  UPDATE management_tokens AS stored SET used = given.at
  FROM given JOIN found ON found.id = given.id
  WHERE stored.id = given.id AND coalesce(stored.used, -1) < given.at`

export const makeManagementTokens = (database: Database["Service"]): ManagementTokens["Service"] => ({
  all: Effect.map(
    database.query(
      "read management tokens",
      `SELECT ${columns} FROM management_tokens ORDER BY created, id COLLATE "C"`,
    ),
    (rows) => rows.map(tokenFromRow),
  ),
  add: (token) =>
    database
      .write("add a management token", installation, (connection) =>
        connection.execute(addSql, [toStored(token.tokenId), token.createdAt, token.usedAt, tokenDoc(token)]),
      )
      .pipe(Effect.flatMap((added) => (added > 0 ? Effect.void : Effect.fail(new TooManyTokens())))),
  revoke: (tokenId) =>
    database.write("revoke a management token", installation, (connection) =>
      Effect.map(
        connection.query(`DELETE FROM management_tokens WHERE id = $1 RETURNING ${columns}`, [
          toStored(tokenId),
        ]),
        ([row]) => Option.map(Option.fromUndefinedOr(row), tokenFromRow),
      ),
    ),
  used: (uses) =>
    database.write("record the use of management tokens", installation, (connection) =>
      Effect.asVoid(
        connection.execute(usedSql, [texts([...uses.keys()].map(toStored)), int8s([...uses.values()])]),
      ),
    ),
})
