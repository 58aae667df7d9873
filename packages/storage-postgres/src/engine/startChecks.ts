import { Effect } from "effect"
import { silentSecondsMax } from "./bounds.ts"
import type { Connection, Session } from "./Connection.ts"
import { connectionsNeeded } from "./connectionsNeeded.ts"
import type { DatabaseError } from "./DatabaseError.ts"
import { UnusableServer } from "./openErrors.ts"
import { postgresTexts } from "./postgresTexts.ts"

const oldestVersion = 15
const newestTestedVersion = 18

/**
 * Values of `synchronous_commit` with which COMMIT returns only after the transaction is durable on this server and, if
 * there are synchronous standbys, on them.
 */
const durableLevels = new Set(["on", "remote_apply"])

/**
 * Checks that a server fulfils Inlet's requirements, before anything is written. If the version of the server is newer
 * than all tested versions, only logs a warning.
 */
export const checkServer = (session: Session): Effect.Effect<void, UnusableServer | DatabaseError> =>
  Effect.gen(function* () {
    const [row] = yield* session.query(settingsSql)
    const version = Math.floor(Number(row?.["version"]) / 10_000)
    const encoding = String(row?.["encoding"])
    const level = String(row?.["level"])
    if (version < oldestVersion)
      return yield* refuse(postgresTexts.oldServer({ version, oldest: oldestVersion }))
    if (encoding !== "UTF8") return yield* refuse(postgresTexts.encoding({ encoding }))
    if (!durableLevels.has(level)) return yield* refuse(postgresTexts.weakCommits({ level }))
    if (version > newestTestedVersion) {
      yield* Effect.logWarning(
        `PostgreSQL ${version} is newer than ${newestTestedVersion}, the newest tested version`,
      )
    }
  })

const refuse = (problem: string) => Effect.fail(new UnusableServer({ problem }))

const settingsSql = `
  SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
    current_setting('synchronous_commit') AS level
`

const connectionsSql = `
  SELECT current_setting('max_connections')::bigint AS connections_max,
    (SELECT count(*) FROM nodes WHERE seen > clock_timestamp() - interval '${silentSecondsMax} seconds') AS nodes`

/** Warns if the running nodes and this one can open more connections than the server accepts. */
export const checkConnections = (session: Session, poolSize: number): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const [row] = yield* session.query(connectionsSql)
    const max = Number(row?.["connections_max"])
    const nodes = Number(row?.["nodes"]) + 1
    const needed = connectionsNeeded(poolSize, nodes)
    if (max >= needed) return
    yield* Effect.logWarning(
      `max_connections of PostgreSQL is ${max}, but with this node ${nodes} nodes can open so many that it should be at least ${needed}`,
    )
  })

const processSql = "SELECT pg_backend_pid() AS process"

/** Returns whether something between the node and the server shares connections, such as PgBouncer. */
export const isPooled = (
  connection: Pick<Connection, "query" | "toldProcess">,
): Effect.Effect<boolean, DatabaseError> =>
  Effect.map(connection.query(processSql), ([row]) => Number(row?.["process"]) !== connection.toldProcess)

/**
 * Warns of a pooler if statements have names. A pooler in transaction mode may run a statement on another connection than the
 * one that knows its name; one in session mode does not, but it cannot be told from the other.
 */
export const checkPooler = (
  session: Pick<Connection, "query" | "toldProcess">,
  prepare: boolean,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    if (!prepare || !(yield* isPooled(session))) return
    yield* Effect.logWarning(
      "a pooler stands between this node and PostgreSQL; in transaction mode it loses prepared statements, so add prepare=false to INLET_STORE, or name the server itself there",
    )
  })

/** Checks that the user may read and write every table of the schema. */
export const checkRights = (
  session: Session,
  user: string,
): Effect.Effect<void, UnusableServer | DatabaseError> =>
  Effect.gen(function* () {
    const [row] = yield* session.query(forbiddenSql)
    if (row === undefined) return
    const problem = `permission denied for table ${String(row["name"])}`
    return yield* refuse(postgresTexts.missingRights({ user, problem }))
  })

const mayAll = ["SELECT", "INSERT", "UPDATE", "DELETE"].map((right) => `has_table_privilege(oid, '${right}')`)

/**
 * Selects the first table of Inlet for which the user lacks a right. The tables of Inlet are in the schema that
 * contains the table `migrations`.
 */
const forbiddenSql = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('migrations'))
    AND relkind IN ('r', 'p') AND NOT (${mayAll.join(" AND ")})
  ORDER BY relname LIMIT 1
`
