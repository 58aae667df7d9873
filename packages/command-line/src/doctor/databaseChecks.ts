import type { DatabaseDocument, ServerDocument } from "@inlethq/contract/server/Server"
import { sizeText } from "../output/text.ts"
import { failed, ok, warning, type Check } from "./Check.ts"

/** Checks the PostgreSQL server of a node. Returns nothing if the server does not use PostgreSQL. */
export const checkDatabase = ({
  database,
  unanswered,
}: Pick<ServerDocument, "database" | "unanswered">): ReadonlyArray<Check> => {
  if (unanswered.includes("database")) {
    return [
      failed(
        "database",
        "PostgreSQL could not be read: it did not answer in time, or it rejected a query",
        "Look for the warning in the server's log. Check that the PostgreSQL server of INLET_STORE runs, and its load.",
      ),
    ]
  }
  if (database === null) return []
  return [
    ok(
      "database",
      `PostgreSQL ${database.version}, tables of format ${database.format}${database.distributed ? ", distributed" : ""}, ${sizeText(database.bytes)}`,
    ),
    checkStandbys(database),
    checkConnections(database),
    ...checkPooler(database),
    checkDatabaseClock(database),
  ]
}

const checkStandbys = (database: DatabaseDocument): Check => {
  const { standbys, synchronous_commit: level, synchronous_standby_names: names } = database
  const waitedFor = standbys.filter(({ synchronous }) => synchronous).map(({ name }) => name)
  if (names === "") {
    return standbys.length === 0
      ? ok("standbys", "none; acknowledged operations are on one server")
      : warning(
          "standbys",
          "commits wait for no standby, so a failover can lose acknowledged operations",
          "Set synchronous_standby_names if that must not happen.",
        )
  }
  if (waitedFor.length === 0 && standbys.some(({ synchronous }) => synchronous === null)) {
    return warning(
      "standbys",
      `commits wait for ${names}, but whether such a standby is connected is unknown`,
      "Grant the role pg_monitor to the user in INLET_STORE, so that the user sees the state of standbys.",
    )
  }
  if (waitedFor.length === 0) {
    return failed(
      "standbys",
      `commits wait for ${names}, but no such standby is connected`,
      "Start the standby, or empty synchronous_standby_names on the primary.",
    )
  }
  return ok("standbys", `commits wait for ${waitedFor.join(", ")} (synchronous_commit ${level})`)
}

/**
 * The share of the PostgreSQL server's connections above which `inlet doctor` warns, because the server may soon refuse
 * new connections.
 */
const connectionsShareMax = 0.8

const checkConnections = ({
  connections,
  connections_max: max,
  connections_needed: needed,
}: DatabaseDocument): Check => {
  if (max < needed) {
    return warning(
      "connections",
      `max_connections is ${max}, but the nodes can open so many that it should be at least ${needed}`,
      "Raise max_connections, or lower pool_size in INLET_STORE. Beyond it PostgreSQL refuses connections with the SQLSTATE 53300, and calls are answered with 503.",
    )
  }
  return connections > max * connectionsShareMax
    ? warning(
        "connections",
        `${connections} of ${max} are in use`,
        "Raise max_connections, or lower pool_size in INLET_STORE.",
      )
    : ok("connections", `${connections} of ${max} are in use`)
}

/** Nothing is said without a pooler, which is how most installations run. */
const checkPooler = ({ names_behind_pooler }: DatabaseDocument): ReadonlyArray<Check> =>
  names_behind_pooler
    ? [
        warning(
          "pooler",
          "a pooler stands between the node and PostgreSQL, and statements have names",
          "Add prepare=false to INLET_STORE, or name the server itself there. In transaction mode a pooler loses prepared statements.",
        ),
      ]
    : []

const clockDifferenceMsMax = 1000

const checkDatabaseClock = ({ clock_ahead_ms: ahead }: DatabaseDocument): Check =>
  Math.abs(ahead) <= clockDifferenceMsMax
    ? ok("database clock", "the node and the database agree")
    : warning(
        "database clock",
        `the clock of the node is ${Math.abs(ahead)} ms ${ahead > 0 ? "ahead of" : "behind"} the database's clock`,
        "Set the clocks of all nodes and of the database by NTP. A node that is more than 5 s off takes no calls.",
      )
