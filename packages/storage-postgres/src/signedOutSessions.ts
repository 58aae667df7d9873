import type { SignedOutSessions } from "@inlet/core/ports/SignedOutSessions"
import { Effect } from "effect"
import { installation, type Database } from "./engine/Database.ts"

const findSql = "SELECT 1 AS found FROM signed_out_sessions WHERE digest = $1"
const pruneSql = "DELETE FROM signed_out_sessions WHERE expires <= $1"
const insertSql = "INSERT INTO signed_out_sessions (digest, expires) VALUES ($1, $2) ON CONFLICT DO NOTHING"

/** Makes the store of sessions that were signed out before they expired. All nodes share it. */
export const makeSignedOutSessions = (database: Database["Service"]): SignedOutSessions["Service"] => ({
  add: (digest, expiresAt, now) =>
    Effect.asVoid(
      database.write("sign out", installation, (connection) =>
        Effect.andThen(
          connection.execute(pruneSql, [now]),
          connection.execute(insertSql, [digest, expiresAt]),
        ),
      ),
    ),
  has: (digest) =>
    Effect.map(database.query("read signed-out sessions", findSql, [digest]), (rows) => rows.length > 0),
})
