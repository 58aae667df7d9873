import type { WorkspaceId } from "@inlet/core/values/Identifier"
import type { LikenessRow, LikenessRows } from "@inlet/storage/likenessRows"
import { Effect } from "effect"
import { chunksOf } from "../engine/chunks.ts"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts, type Parameter } from "../engine/parameters.ts"
import { isListed } from "../tables/rowPlaces.ts"

const given = "unnest($2::bigint[], $3::text[], $4::bigint[]) AS wanted (kind, digest, subject)"

const removeSql = `
  DELETE FROM likeness
  WHERE ${isListed("likeness", given, 'likeness.kind = wanted.kind AND digest = wanted.digest COLLATE "C" AND likeness.subject = wanted.subject')}`

const insertSql = `
  INSERT INTO likeness (workspace, kind, digest, subject) SELECT $1, kind, digest, subject FROM ${given}
  ON CONFLICT (workspace, kind, digest, subject) DO NOTHING`

const digests = "unnest($2::bigint[], $3::text[]) AS wanted (kind, digest)"

/** Looks at two people with the digest at most. */
const isShared = `(
  SELECT count(*) FROM (
    SELECT FROM likeness WHERE workspace = $1 AND likeness.kind = wanted.kind AND likeness.digest = wanted.digest COLLATE "C" LIMIT 2
  ) AS found
) = 2`

const shareSql = `
  INSERT INTO likeness_shared (workspace, kind, digest) SELECT DISTINCT $1::bigint, kind, digest FROM ${digests} WHERE ${isShared}
  ON CONFLICT (workspace, kind, digest) DO NOTHING`

const unshareSql = `
  DELETE FROM likeness_shared
  WHERE ${isListed("likeness_shared", `(SELECT * FROM ${digests} WHERE NOT ${isShared}) AS wanted`, 'likeness_shared.kind = wanted.kind AND likeness_shared.digest = wanted.digest COLLATE "C"')}`

/** Saves what people have alike, and which of it at least two of them have. */
export const saveLikeness = (
  connection: Connection,
  workspace: WorkspaceId,
  { added, removed }: LikenessRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const removals = chunksOf(removed.toSorted(byDigest))
    const additions = chunksOf(added.toSorted(byDigest))
    for (const chunk of removals) yield* connection.executeWithNext(removeSql, columnsOf(workspace, chunk))
    for (const chunk of additions) yield* connection.executeWithNext(insertSql, columnsOf(workspace, chunk))
    for (const chunk of removals) yield* connection.executeWithNext(unshareSql, digestsOf(workspace, chunk))
    for (const chunk of additions) yield* connection.executeWithNext(shareSql, digestsOf(workspace, chunk))
  })

const digestsOf = (workspace: WorkspaceId, rows: ReadonlyArray<LikenessRow>): ReadonlyArray<Parameter> => [
  workspace,
  int8s(rows.map(({ kind }) => kind)),
  texts(rows.map(({ digest }) => digest)),
]

const columnsOf = (workspace: WorkspaceId, rows: ReadonlyArray<LikenessRow>): ReadonlyArray<Parameter> => [
  ...digestsOf(workspace, rows),
  int8s(rows.map(({ subject }) => subject)),
]

const byDigest = (a: LikenessRow, b: LikenessRow): number =>
  a.kind - b.kind || (a.digest < b.digest ? -1 : Number(a.digest > b.digest)) || a.subject - b.subject
