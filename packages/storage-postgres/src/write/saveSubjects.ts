import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { SubjectRows } from "@inlethq/storage/rows/batchRows"
import type { SubjectRow } from "@inlethq/storage/rows/subjectRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int2s, int8s, texts, type Parameter } from "../engine/parameters.ts"
import { chunksOf } from "../engine/chunks.ts"

/**
 * Inserts new rows of `subjects` and updates existing rows, with one index lookup each. An update that changes no
 * indexed column writes no index.
 */
const saveSql = `
  INSERT INTO subjects (workspace, key, state, owner, name, created, updated, doc)
  SELECT $1, * FROM unnest($2::bigint[], $3::smallint[], $4::bigint[], $5::text[], $6::bigint[], $7::bigint[], $8::text[])
  ON CONFLICT (workspace, key) DO UPDATE SET state = excluded.state, owner = excluded.owner, name = excluded.name,
    created = excluded.created, updated = excluded.updated, doc = excluded.doc`

/** Saves the people, objects and other subjects that a batch created or changed. */
export const saveSubjects = (
  connection: Connection,
  workspace: WorkspaceId,
  { inserted, replaced, updated }: SubjectRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const rows = [...updated, ...replaced, ...inserted].toSorted(byKey)
    for (const chunk of chunksOf(rows, lengthOf)) {
      yield* connection.executeWithNext(saveSql, [workspace, ...columnsOf(chunk)])
    }
  })

const byKey = (a: SubjectRow, b: SubjectRow): number => a.key - b.key

const lengthOf = ({ doc }: SubjectRow): number => doc.length

const columnsOf = (rows: ReadonlyArray<SubjectRow>): ReadonlyArray<Parameter> => [
  int8s(rows.map(({ key }) => key)),
  int2s(rows.map(({ state }) => state)),
  int8s(rows.map(({ owner }) => owner)),
  texts(rows.map(({ name }) => name)),
  int8s(rows.map(({ created }) => created)),
  int8s(rows.map(({ updated }) => updated)),
  texts(rows.map(({ doc }) => doc)),
]
