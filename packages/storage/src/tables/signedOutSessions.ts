import type { SignedOutSessions } from "@inlethq/core/ports/SignedOutSessions"
import { Effect } from "effect"
import { wholeInstallation } from "../columns/transferTables.ts"
import type { Tables } from "./Tables.ts"

/** Makes the store of sessions that were signed out before they expired. */
export const makeSignedOutSessions = (tables: Tables): SignedOutSessions["Service"] => ({
  add: (digest, expiresAt, now) =>
    tables.write("sign out", wholeInstallation, (ask) =>
      Effect.andThen(
        ask.run("DELETE FROM signed_out_sessions WHERE expires <= $1", now),
        Effect.asVoid(
          ask.run(
            "INSERT INTO signed_out_sessions (digest, expires) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            digest,
            expiresAt,
          ),
        ),
      ),
    ),
  has: (digest) =>
    Effect.map(
      tables.read(
        "read signed-out sessions",
        "SELECT 1 AS found FROM signed_out_sessions WHERE digest = $1",
        digest,
      ),
      (rows) => rows.length > 0,
    ),
})
