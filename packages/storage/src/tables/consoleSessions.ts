import {
  sessionsPerPrincipalMax,
  spentSignInsMax,
  type ConsoleSessions,
  type SessionPlace,
} from "@inlethq/core/ports/ConsoleSessions"
import { ConsoleSession } from "@inlethq/core/workspace/ConsoleSession"
import { Effect, Option, Schema, Struct } from "effect"
import { integer, text, type Row } from "../columns/columns.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import { wholeInstallation } from "../columns/transferTables.ts"
import type { Tables } from "./Tables.ts"

/** The id, the principal and the times of a session have columns of their own. */
const Doc = Schema.fromJsonString(
  ConsoleSession.mapFields(Struct.omit(["sessionId", "principalId", "createdAt", "expiresAt"])),
)
const encodeDoc = Schema.encodeSync(Doc)
const decodeDoc = Schema.decodeUnknownSync(Doc)

const sessionFromRow = (row: Row): ConsoleSession => ({
  ...decodeDoc(row["doc"]),
  sessionId: fromStored(text(row["id"])),
  principalId: fromStored(text(row["principal"])),
  createdAt: integer(row["created"]),
  expiresAt: integer(row["expires"]),
})

const columns = "id, principal, created, expires, doc"

const addSql = `
  INSERT INTO console_sessions (workspace, ${columns}) VALUES (${wholeInstallation}, $1, $2, $3, $4, $5)
  ON CONFLICT DO NOTHING`

/** Whoever has more sessions than allowed has one more at most, so one step suffices. */
const endOldestSql = `
  DELETE FROM console_sessions WHERE id IN (
    SELECT id FROM console_sessions WHERE principal = $1 ORDER BY created DESC, id DESC
    LIMIT ${sessionsPerPrincipalMax} OFFSET ${sessionsPerPrincipalMax}
  )`

const listSql = (order: "asc" | "desc") => `
  SELECT ${columns} FROM console_sessions
  WHERE expires > $1 AND (created ${order === "asc" ? ">" : "<"} $2 OR (created = $2 AND id ${order === "asc" ? ">" : "<"} $3))
  ORDER BY created ${order}, id ${order} LIMIT $4`

/** The place before the first session, in each order. Ids are hex digits. */
const firstPlace: Readonly<Record<"asc" | "desc", SessionPlace>> = {
  asc: { createdAt: -1, sessionId: "" },
  desc: { createdAt: Number.MAX_SAFE_INTEGER, sessionId: "" },
}

/** Makes the store of open sessions, and of sign-ins that were used. */
export const makeConsoleSessions = (tables: Tables): ConsoleSessions["Service"] => ({
  add: ({ createdAt, expiresAt, principalId, sessionId, ...rest }, now) =>
    tables.write("open a session", wholeInstallation, (ask) =>
      Effect.gen(function* () {
        const principal = toStored(principalId)
        yield* ask.run("DELETE FROM console_sessions WHERE expires <= $1", now)
        yield* ask.run(addSql, toStored(sessionId), principal, createdAt, expiresAt, encodeDoc(rest))
        yield* ask.run(endOldestSql, principal)
      }),
    ),
  find: (sessionId) =>
    Effect.map(
      tables.read(
        "read a session",
        `SELECT ${columns} FROM console_sessions WHERE id = $1`,
        toStored(sessionId),
      ),
      ([row]) => Option.map(Option.fromUndefinedOr(row), sessionFromRow),
    ),
  end: (sessionId) =>
    tables.write("end a session", wholeInstallation, (ask) =>
      Effect.map(
        ask.rows(`DELETE FROM console_sessions WHERE id = $1 RETURNING ${columns}`, toStored(sessionId)),
        ([row]) => Option.map(Option.fromUndefinedOr(row), sessionFromRow),
      ),
    ),
  list: ({ after, limit, order }, now) => {
    const { createdAt, sessionId } = after ?? firstPlace[order]
    return Effect.map(
      tables.read("read sessions", listSql(order), now, createdAt, toStored(sessionId), limit + 1),
      (rows) => {
        const items = rows.slice(0, limit).map(sessionFromRow)
        return { items, next: rows.length > limit ? (items.at(-1) ?? null) : null }
      },
    )
  },
  spend: (digest, expiresAt, now) =>
    tables.write("use up a sign-in", wholeInstallation, (ask) =>
      Effect.gen(function* () {
        yield* ask.run("DELETE FROM spent_sign_ins WHERE expires <= $1", now)
        const [known] = yield* ask.rows("SELECT digest FROM spent_sign_ins WHERE digest = $1", digest)
        if (known !== undefined) return "used" as const
        const [row] = yield* ask.rows("SELECT count(*) AS found FROM spent_sign_ins")
        if (integer(row?.["found"]) >= spentSignInsMax) return "full" as const
        const added = yield* ask.run(
          "INSERT INTO spent_sign_ins (digest, expires) VALUES ($1, $2) ON CONFLICT DO NOTHING",
          digest,
          expiresAt,
        )
        return added > 0 ? ("spent" as const) : ("used" as const)
      }),
    ),
})
