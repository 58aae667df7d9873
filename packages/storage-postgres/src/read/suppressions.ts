import type { Needs } from "@inlethq/core/fold/Needs"
import type { Subject } from "@inlethq/core/state/Subject"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { suppressedGroupsNeeded, suppressibleTexts } from "@inlethq/storage/rows/workingSetRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int8s, texts } from "../engine/parameters.ts"

/**
 * A row with a `place` reports a suppressed identifier. The `place` is the index (from 1) of the identifier's digest in
 * `$2`. A row without a `place` reports a suppression group.
 */
const suppressedSql = `
  SELECT wanted.place, found.group_key FROM unnest($2::text[]) WITH ORDINALITY AS wanted (digest, place)
  CROSS JOIN LATERAL (
    SELECT group_key FROM suppressions WHERE workspace = $1 AND digest = wanted.digest COLLATE "C" OFFSET 0
  ) AS found
  UNION ALL
  SELECT NULL, wanted.key FROM unnest($3::bigint[]) AS wanted (key)
  WHERE EXISTS (SELECT FROM suppressions WHERE workspace = $1 AND group_key = wanted.key)`

/**
 * Reads which identifiers of a batch are suppressed, and which of its subject keys identify a suppression group. The
 * database stores only digests of suppressed identifiers, so that nobody can read the identifiers in the database.
 */
export const readSuppressed = (
  connection: Connection,
  digestOf: WorkingSet["digest"],
  needs: Needs,
  identifiers: ReadonlyMap<string, SubjectKey>,
  subjects: ReadonlyMap<SubjectKey, Subject>,
): Effect.Effect<Pick<WorkingSet, "suppressed" | "suppressedGroups">, DatabaseError> =>
  Effect.gen(function* () {
    const names = suppressibleTexts(needs, identifiers)
    const groups = suppressedGroupsNeeded(needs, subjects)
    const suppressed = new Map<string, SubjectKey>()
    const suppressedGroups = new Set<SubjectKey>()
    const rows = yield* connection.queryByIndex(suppressedSql, [
      needs.workspace,
      texts(names.map(digestOf)),
      int8s(groups),
    ])
    for (const [place, group] of rows) {
      const name = place === null ? undefined : names[integer(place) - 1]
      const key = subjectKey(integer(group))
      if (name === undefined) suppressedGroups.add(key)
      else suppressed.set(name, key)
    }
    return { suppressed, suppressedGroups }
  })
