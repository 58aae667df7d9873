import type { SignedOutSessions } from "@inlet/core/ports/SignedOutSessions"
import type { Database } from "./engine/Database.ts"

/** Makes the store of sessions that were signed out before they expired. */
export const makeSignedOutSessions = (database: Database): SignedOutSessions["Service"] => {
  const { durability } = database
  const find = database.reads.prepare("SELECT 1 FROM signed_out_sessions WHERE digest = ?")
  const prune = database.prepare("DELETE FROM signed_out_sessions WHERE expires <= ?")
  const insert = database.prepare("INSERT OR IGNORE INTO signed_out_sessions (digest, expires) VALUES (?, ?)")
  return {
    add: (digest, expiresAt, now) =>
      durability.write("sign out", () =>
        database.write(() => {
          prune.run(now)
          insert.run(digest, expiresAt)
        }),
      ),
    has: (digest) => durability.read("read signed-out sessions", () => find.get(digest) !== undefined),
  }
}
