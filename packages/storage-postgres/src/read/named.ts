import type { NamedSubjects } from "@inlet/core/catalog/NamedSubjects"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { stateCodes } from "@inlet/storage/codes"
import { integer, text } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import {
  lookupTexts,
  lookupTypesMax,
  needsTypes,
  wantedSubjects,
  type WantedSubjects,
} from "@inlet/storage/namedSubjects"
import { fromStored } from "@inlet/storage/storedText"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { texts } from "../engine/parameters.ts"
import { indexedName, indexedNameLength } from "../tables/indexedColumns.ts"
import { indexedText } from "../tables/indexedText.ts"
import { readSubjects } from "./subjects.ts"

const keysSql = `
  SELECT found.subject FROM unnest($2::text[]) AS wanted (text)
  CROSS JOIN LATERAL (
    SELECT subject FROM identifiers WHERE workspace = $1 AND text = wanted.text COLLATE "C" OFFSET 0
  ) AS found`

/**
 * Finds the entries about the subjects that a filter names. Returns null if the log must be read instead.
 */
export const readNamed = (
  connection: Connection,
  workspace: WorkspaceId,
  named: NamedSubjects,
): Effect.Effect<WantedSubjects | null, DatabaseError> =>
  Effect.gen(function* () {
    const types = needsTypes(named) ? yield* readObjectTypes(connection, workspace) : []
    const wanted = lookupTexts(named, types)
    if (wanted === undefined) return null
    const rows =
      wanted.length === 0
        ? []
        : yield* connection.queryByIndex(keysSql, [workspace, texts(wanted.map(indexedText))])
    const keys = new Set<SubjectKey>([...named.keys, ...rows.map(([key]) => subjectKey(integer(key)))])
    return wantedSubjects(named, yield* readSubjects(connection, workspace, keys))
  })

/** The query jumps in the index from each type to the next. A long type is cut, and counts as too many types. */
const typesSql = `
  WITH RECURSIVE types (name, place) AS (
    (SELECT ${indexedName}, 1 FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} ORDER BY ${indexedName} LIMIT 1)
    UNION ALL
    SELECT (
      SELECT ${indexedName} FROM subjects WHERE workspace = $1 AND state = ${stateCodes.object} AND ${indexedName} > types.name
      ORDER BY ${indexedName} LIMIT 1
    ), place + 1
    FROM types WHERE types.name IS NOT NULL AND place <= $2
  )
  SELECT name FROM types WHERE name IS NOT NULL`

/** Lists the types of a workspace's objects, or returns undefined if there are too many. */
const readObjectTypes = (
  connection: Connection,
  workspace: WorkspaceId,
): Effect.Effect<ReadonlyArray<string> | undefined, DatabaseError> =>
  Effect.map(connection.queryByIndex(typesSql, [workspace, lookupTypesMax]), (rows) => {
    const types = rows.map(([name]) => text(name))
    const isCut = types.some((type) => Array.from(type).length >= indexedNameLength)
    return isCut || types.length > lookupTypesMax ? undefined : types.map(fromStored)
  })
