import type { LakeFile, LakeTable } from "@inlethq/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { LakeSettings } from "@inlethq/core/workspace/LakeSettings"
import { lakeColumns, lakeTables } from "../columns.ts"
import { clickhouse } from "./clickhouse.ts"
import type { Dialect } from "./Dialect.ts"
import { duckdb, duckdbIceberg } from "./duckdb.ts"
import type { EventShape } from "./EventShapes.ts"
import { eventViews } from "./eventViews.ts"

export type Engine = "duckdb" | "duckdb-iceberg" | "clickhouse"

const dialects: Readonly<Record<Engine, Dialect>> = { duckdb, "duckdb-iceberg": duckdbIceberg, clickhouse }

/** The name of the schema that holds the views of a workspace's lake. */
const schemaOf = (workspace: WorkspaceId): string => `lake_${workspace}`

/** The lake whose files are read. */
interface StoredLake {
  readonly workspace: WorkspaceId
  readonly settings: LakeSettings
  readonly files: ReadonlyArray<LakeFile>
}

/** What the files of a table are called in SQL. Views without the rows of deleted people have the names of the tables. */
const storedNames = {
  activity: "activity_in_files",
  subjects: "subjects",
  erased: "erased",
  people: "people_in_files",
  objects: "objects_in_files",
} as const satisfies Record<LakeTable, string>

/**
 * Returns statements that read the files of a lake as views: one for each table, `events` and `person_events` with the
 * person to whom each event belongs now, and one for each event name. A list of files, and not a pattern, is read, because
 * a folder also holds files that were replaced.
 */
export const lakeStatements = (
  engine: Engine,
  { files, settings, workspace }: StoredLake,
  shapes: ReadonlyArray<EventShape>,
): string => {
  const dialect = dialects[engine]
  const schema = schemaOf(workspace)
  const root = dialect.root(settings)
  const urls = (table: LakeTable) =>
    files.filter((file) => file.table === table).map(({ path }) => `${root}/${path}`)
  const lake = { workspace, settings }
  const tables = lakeTables.map((table) =>
    dialect.table(schema, storedNames[table], table, lake, urls(table)),
  )
  return [
    ...dialect.begin(schema, lake),
    ...tables,
    dialect.view(schema, "owners", ownersQuery(schema, dialect)),
    dialect.view(schema, "erased_subjects", erasedQuery(schema)),
    dialect.view(schema, "activity", activityQuery(schema)),
    dialect.view(schema, "people", existingPeopleQuery(schema)),
    dialect.view(schema, "objects", existingObjectsQuery(schema)),
    dialect.view(schema, "events", eventsQuery(schema)),
    dialect.view(schema, "person_events", `SELECT * FROM ${schema}.events WHERE person IS NOT NULL`),
    ...eventViews(schema, dialect, shapes),
    dialect.use(schema),
    "",
  ].join("\n")
}

/** The row of each subject at its largest position says to whom it belongs now. */
const ownersQuery = (schema: string, { latest }: Dialect): string =>
  `SELECT subject, ${latest("owner")} AS owner, ${latest("since")} AS since, ${latest("state")} AS state
FROM ${schema}.subjects GROUP BY subject`

/** Names each column, because ClickHouse gives those of `table.*` the name of the table too if tables are joined. */
const columnsOf = (table: LakeTable, from: string): string =>
  lakeColumns[table].map(({ name }) => `${from}.${name} AS ${name}`).join(", ")

const erasedQuery = (schema: string): string =>
  `SELECT subject, max(position) AS position FROM ${schema}.erased GROUP BY subject`

/** A person has themselves as owner. Whoever was merged or identified belongs to the owner from \`since\` on. */
const isOwned = (entry: string): string => `(owners.state = 'person' OR ${entry}.received_at >= owners.since)`

/** Hides the rows of people who were deleted after them, whether or not the files have followed the deletion. */
const activityQuery = (schema: string): string =>
  `SELECT ${columnsOf("activity", "stored")}
FROM ${schema}.${storedNames.activity} AS stored
LEFT JOIN ${schema}.owners AS owners ON owners.subject = stored.subject
LEFT JOIN ${schema}.erased_subjects AS gone ON gone.subject = stored.subject
LEFT JOIN ${schema}.erased_subjects AS gone_owner ON gone_owner.subject = owners.owner
WHERE COALESCE(gone.position, 0) <= stored.position
  AND (COALESCE(gone_owner.position, 0) <= stored.position OR NOT ${isOwned("stored")})`

const existingPeopleQuery = (schema: string): string =>
  `SELECT ${columnsOf("people", "stored")}
FROM ${schema}.${storedNames.people} AS stored
LEFT JOIN ${schema}.erased_subjects AS gone ON gone.subject = stored.subject
WHERE COALESCE(gone.position, 0) = 0`

/** The log keeps what it says about a deleted object, and its deletion is an entry of the activity. */
const existingObjectsQuery = (schema: string): string =>
  `SELECT ${columnsOf("objects", "stored")}
FROM ${schema}.${storedNames.objects} AS stored
LEFT JOIN (
  SELECT subject, max(position) AS position FROM ${schema}.${storedNames.activity}
  WHERE kind = 'object_delete' AND outcome = 'applied' GROUP BY subject
) AS gone ON gone.subject = stored.subject
WHERE COALESCE(gone.position, 0) = 0`

const eventsQuery = (schema: string): string =>
  `SELECT CASE WHEN ${isOwned("entries")} THEN owners.owner END AS person, ${columnsOf("activity", "entries")}
FROM ${schema}.activity AS entries
LEFT JOIN ${schema}.owners AS owners ON owners.subject = entries.subject
WHERE entries.kind IN ('event', 'page', 'screen', 'anonymous_event')
  AND entries.outcome IN ('applied', 'created', 'partial', 'pending')`
