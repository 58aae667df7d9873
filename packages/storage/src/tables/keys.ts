import { ApiKey, type KeyUse } from "@inlethq/core/workspace/Credentials"
import type { KeyLookup } from "@inlethq/core/ports/Registry"
import { Effect, Schema } from "effect"
import { text, textOrNull, type Row } from "../columns/columns.ts"
import { fromStored, toStored } from "../columns/storedText.ts"
import type { Statements, Value } from "./Tables.ts"

const decodeKey = Schema.decodeUnknownSync(ApiKey)

const names = [
  "id",
  "workspace",
  "kind",
  "name",
  "site_id",
  "digest",
  "created",
  "prefix",
  "last_used",
  "expires",
  "scope",
] as const

export const keyColumns = names.map((name) => `keys.${name} AS ${name}`).join(", ")

const insertSql = `INSERT INTO keys (${names.join(", ")}) VALUES (${names.map((_, place) => `$${place + 1}`).join(", ")})`

export const insertKey = <E>(ask: Statements<E>, key: ApiKey): Effect.Effect<void, E> =>
  Effect.asVoid(
    ask.run(
      insertSql,
      toStored(key.keyId),
      key.workspace,
      key.kind,
      toStored(key.name),
      storedOrNull(key.siteId),
      key.digest,
      key.createdAt,
      storedOrNull(key.prefix),
      key.lastUsedAt,
      key.expiresAt,
      key.scope ?? null,
    ),
  )

export const keyFromRow = (row: Row): ApiKey => {
  const scope = textOrNull(row["scope"] ?? null)
  return decodeKey({
    keyId: fromStored(text(row["id"])),
    workspace: row["workspace"],
    kind: row["kind"],
    name: fromStored(text(row["name"])),
    siteId: readOrNull(row["site_id"]),
    digest: row["digest"],
    createdAt: row["created"],
    prefix: readOrNull(row["prefix"]),
    lastUsedAt: row["last_used"],
    expiresAt: row["expires"],
    ...(scope !== null && { scope }),
  })
}

/** Returns the condition of the key with these credentials, and its value as `$1`. */
export const conditionOf = (lookup: KeyLookup): readonly [sql: string, value: Value] =>
  lookup.kind === "track"
    ? ["keys.kind = 'track' AND keys.site_id = $1", toStored(lookup.siteId)]
    : [`keys.kind = '${lookup.kind}' AND keys.digest = $1`, lookup.digest]

/** Several nodes use the same key, and the latest use counts. The order of the ids keeps two nodes from a deadlock. */
export const useKeys = <E>(ask: Statements<E>, uses: ReadonlyArray<KeyUse>): Effect.Effect<void, E> =>
  ask.runEach(
    "UPDATE keys SET last_used = $1 WHERE id = $2 AND coalesce(last_used, 0) < $1",
    uses.map(({ at, keyId }) => [at, toStored(keyId)] as const).toSorted(([, a], [, b]) => (a < b ? -1 : 1)),
  )

const storedOrNull = (value: string | null): string | null => (value === null ? null : toStored(value))

const readOrNull = (column: unknown): string | null => {
  const stored = textOrNull(column ?? null)
  return stored === null ? null : fromStored(stored)
}
