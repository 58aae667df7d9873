import { createHmac } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { Digest } from "@inlethq/core/ports/Digest"
import type { CatalogModule } from "@inlethq/core/catalog/ThreadCatalog"
import { ReadTurns } from "@inlethq/engine/reads/ReadTurns"
import { Effect } from "effect"
import { Connection } from "../engine/Connection.ts"
import type { ReadDatabase } from "../engine/Database.ts"
import { attempt } from "../engine/sqliteErrors.ts"
import { makeCatalog } from "./catalog.ts"

export interface CatalogSettings {
  /** The database file, which the main thread has open. */
  readonly file: string
  readonly digestKey: Uint8Array
}

/** The cache of the connection in KiB. The cache is small because the operating system caches the file too. */
const cacheKiB = 2 * 1024

/** The longest time in milliseconds for which the thread waits for a lock, which is held only while the log starts over. */
const busyTimeoutMs = 1000

/**
 * Opens the catalog of a database in a thread that is not the main one. What it reads may not be durable yet, which
 * `ThreadCatalog.reading` waits for in the main thread.
 *
 * @public A thread imports it by the URL of this module.
 */
export const openCatalog: CatalogModule<CatalogSettings>["openCatalog"] = Effect.fnUntraced(function* ({
  digestKey,
  file,
}) {
  const connection = yield* Effect.acquireRelease(
    attempt(`open ${file}`, () => new Connection(connect(file), () => connect(file))),
    (opened) => Effect.sync(() => opened.close()),
  )
  const digest = Digest.of({
    key: digestKey,
    of: (text) => createHmac("sha256", digestKey).update(text).digest("hex"),
  })
  const guard = { attempt, untilDurable: () => Effect.void }
  return yield* attempt("prepare its SQL statements", () =>
    makeCatalog(readDatabase(connection), digest, new ReadTurns(), guard),
  )
})

const connect = (file: string): DatabaseSync => {
  const opened = new DatabaseSync(file, { readOnly: true })
  opened.exec(
    `PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA cache_size = -${cacheKiB}; PRAGMA query_only = ON`,
  )
  return opened
}

const readDatabase = (connection: Connection): ReadDatabase => {
  const begin = connection.prepare("BEGIN")
  const commit = connection.prepare("COMMIT")
  const rollback = connection.prepare("ROLLBACK")
  return {
    prepare: (sql) => connection.prepare(sql),
    prepareByPlace: (sql) => connection.prepareByPlace(sql),
    read: (body) => {
      begin.run()
      try {
        const answer = body()
        commit.run()
        return answer
      } finally {
        if (connection.current.isTransaction) rollback.run()
      }
    },
  }
}
