import type { Needs } from "@inlethq/core/fold/Needs"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { subjectFromRow } from "@inlethq/storage/rows/subjectRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"
import { indexedText } from "../tables/indexedText.ts"

/** The SQL columns that `subjectFromRow` decodes. The query must name the table as `subjects AS found`. */
export const subjectColumns =
  "found.key, found.workspace, found.state, found.owner, found.created, found.updated, found.name, found.doc"

/** `OFFSET 0` makes the planner do one index lookup for each key. */
const subjectsSql = `
  SELECT found.* FROM unnest($2::bigint[]) AS wanted (key)
  CROSS JOIN LATERAL (
    SELECT ${subjectColumns} FROM subjects AS found WHERE found.workspace = $1 AND found.key = wanted.key OFFSET 0
  ) AS found`

/** Reads the people, objects and other subjects with the given keys in one statement. */
export const readSubjects = (
  connection: Connection,
  workspace: WorkspaceId,
  keys: Iterable<SubjectKey>,
): Effect.Effect<ReadonlyArray<Subject>, DatabaseError> => {
  const wanted = [...keys].toSorted((a, b) => a - b)
  return wanted.length === 0
    ? Effect.succeed([])
    : Effect.map(connection.query(subjectsSql, [workspace, int8s(wanted)]), (rows) =>
        rows.map(subjectFromRow),
      )
}

/**
 * Reads each person, object or other subject that a key or an identifier names once. The statement does one index
 * lookup for each identifier and each subject.
 */
const namedSubjectsSql = `
  SELECT found.* FROM (
    SELECT unnest($2::bigint[]) AS key
    UNION
    SELECT named.subject FROM unnest($3::text[]) AS wanted (text)
    CROSS JOIN LATERAL (
      SELECT subject FROM identifiers WHERE workspace = $1 AND text = wanted.text COLLATE "C" OFFSET 0
    ) AS named
  ) AS wanted
  CROSS JOIN LATERAL (
    SELECT ${subjectColumns} FROM subjects AS found WHERE found.workspace = $1 AND found.key = wanted.key OFFSET 0
  ) AS found`

/** Reads the people, objects and other subjects with the given keys and identifiers in one statement. */
export const readNamedSubjects = (
  connection: Connection,
  { identifiers, subjects, workspace }: Needs,
): Effect.Effect<ReadonlyArray<Subject>, DatabaseError> =>
  Effect.map(
    connection.query(namedSubjectsSql, [
      workspace,
      int8s([...subjects]),
      texts(Array.from(identifiers, indexedText)),
    ]),
    (rows) => rows.map(subjectFromRow),
  )
