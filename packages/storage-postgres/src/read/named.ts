import type { NamedSubjects } from "@inlet/core/catalog/NamedSubjects"
import type { SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import { integer } from "@inlet/storage/columns"
import { subjectKey } from "@inlet/storage/ids"
import { lookupTexts, needsTypes, wantedSubjects, type WantedSubjects } from "@inlet/storage/namedSubjects"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { texts } from "../engine/parameters.ts"
import { indexedText } from "../tables/indexedText.ts"
import { readObjectTypes } from "./objectTypes.ts"
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
