import type { LakeFile, LakeTable } from "@inlet/core/ports/LakeFiles"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { LakeSettings } from "@inlet/core/workspace/LakeSettings"
import { lakeColumns } from "../columns.ts"
import { clickhouse } from "./clickhouse.ts"
import type { Dialect } from "./Dialect.ts"
import { duckdb } from "./duckdb.ts"
import { postgres } from "./postgres.ts"

export type Engine = "duckdb" | "clickhouse" | "postgres"

const dialects: Readonly<Record<Engine, Dialect>> = { duckdb, clickhouse, postgres }

/** The name of the schema that holds the views of a workspace's lake. */
const schemaOf = (workspace: WorkspaceId): string => `lake_${workspace}`

/**
 * Returns statements that read the files of a lake as views: one for each table, `person_events` with the person to whom
 * each event belongs now, and one for each event name. A list of files, and not a pattern, is read, because a folder also
 * holds files that were replaced.
 */
export const lakeStatements = (
  engine: Engine,
  workspace: WorkspaceId,
  settings: LakeSettings,
  files: ReadonlyArray<LakeFile>,
): string => {
  const dialect = dialects[engine]
  const schema = schemaOf(workspace)
  const urls = (table: LakeTable) =>
    files.filter((file) => file.table === table).map(({ path }) => urlOf(settings, path))
  const tables = (["activity", "subjects", "erased", "people", "objects"] as const).map((table) =>
    dialect.table(schema, table, lakeColumns[table], urls(table)),
  )
  return [
    ...dialect.begin(schema, settings),
    ...tables,
    dialect.view(schema, "owners", ownersQuery(schema, dialect)),
    dialect.view(schema, "person_events", personEventsQuery(schema)),
    "",
  ].join("\n")
}

const urlOf = (settings: LakeSettings, path: string): string => `${settings.url.replace(/\/+$/, "")}/${path}`

/** The row of each subject at its largest position says to whom it belongs now. */
const ownersQuery = (schema: string, { latest }: Dialect): string =>
  `SELECT subject, ${latest("owner")} AS owner, ${latest("since")} AS since, ${latest("state")} AS state
FROM ${schema}.subjects GROUP BY subject`

/**
 * A person's own subject has itself as owner. Whoever was merged or identified belongs to the owner from \`since\` on.
 */
const personEventsQuery = (schema: string): string =>
  `SELECT owners.owner AS person, events.*
FROM ${schema}.activity AS events
JOIN ${schema}.owners AS owners ON owners.subject = events.subject
WHERE events.kind IN ('event', 'page', 'screen', 'anonymous_event')
  AND events.outcome IN ('applied', 'created', 'partial', 'pending')
  AND owners.owner IS NOT NULL
  AND (owners.state = 'person' OR events.received_at >= owners.since)
  AND NOT EXISTS (SELECT 1 FROM ${schema}.erased AS gone WHERE gone.subject = owners.owner AND gone.position > events.position)
  AND NOT EXISTS (SELECT 1 FROM ${schema}.erased AS gone WHERE gone.subject = events.subject AND gone.position > events.position)`
