import type { DecidedBatch } from "@inlethq/core/Batch"
import { inSlices } from "@inlethq/core/Slices"
import type { SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import {
  batchRows,
  encodedEntries,
  segmentSizeRows,
  sizeRows,
  type AddressRows,
  type IdentifierRows,
  type LinkRow,
  type SuppressionRows,
} from "@inlethq/storage/rows/batchRows"
import { stateCodes } from "@inlethq/storage/columns/codes"
import type { ErasureRow } from "@inlethq/storage/rows/erasureRows"
import type { KnownContexts } from "@inlethq/storage/rows/contextRows"
import type { LeafRow, LeafRows } from "@inlethq/storage/rows/leafRows"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer } from "@inlethq/storage/columns/columns"
import { subjectKey } from "@inlethq/storage/columns/ids"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { bools, int8s, texts } from "../engine/parameters.ts"
import { shortened } from "../tables/indexedText.ts"
import { inBothForms } from "../tables/rowForms.ts"
import { chunksOf } from "../engine/chunks.ts"
import { numberContexts } from "./numberContexts.ts"
import { saveRejectedCalls } from "./rejectedCalls.ts"
import { saveEntries } from "./saveEntries.ts"
import { saveSubjects } from "./saveSubjects.ts"

/**
 * Saves the rows that a batch changed, with one statement for each table. Changed links need a round trip of their own.
 * All other statements share the round trip of COMMIT. Must run in the transaction that locked the workspace's row in
 * `heads` and loaded the working set. Writes rows in the order of their keys, so that rows written after each other are
 * neighbours in the indexes.
 */
export const saveDecided = (
  connection: Connection,
  decided: DecidedBatch,
  firstNewKey: SubjectKey,
  known: KnownContexts,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const { state } = decided
    const { workspace } = state
    const rows = yield* inSlices(
      batchRows(decided, firstNewKey, yield* numberContexts(connection, state, known)),
      Effect.sync,
    )
    const entries = yield* inSlices(encodedEntries(rows), Effect.sync)
    yield* saveIdentifiers(connection, workspace, rows.identifiers)
    yield* saveSubjects(connection, workspace, rows.subjects)
    yield* saveLinks(connection, state, rows.links)
    yield* saveSuppressions(connection, workspace, rows.suppressions)
    yield* saveAddresses(connection, workspace, rows.addresses)
    yield* saveLeaves(connection, workspace, rows.leaves)
    yield* saveErasures(connection, workspace, rows.erasures)
    yield* saveEntries(connection, workspace, { ...rows, entries })
    yield* saveRejectedCalls(connection, workspace, rows)
    yield* forgetImportErrors(connection, workspace, rows.erasedDigests)
  })

/**
 * No batch both binds and frees the same identifier. Therefore one statement can bind some identifiers and free other
 * identifiers.
 */
const identifiersSql = `
  WITH freed AS (DELETE FROM identifiers WHERE workspace = $1 AND text = ANY($2::text[] COLLATE "C"))
  INSERT INTO identifiers (workspace, text, subject) SELECT $1, text, subject FROM unnest($3::text[], $4::bigint[]) AS bound (text, subject)
  ON CONFLICT (workspace, text) DO UPDATE SET subject = excluded.subject WHERE identifiers.subject <> excluded.subject`

const saveIdentifiers = (
  connection: Connection,
  workspace: WorkspaceId,
  { bound, freed }: IdentifierRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const changes = [...bound, ...freed.map((text) => ({ text, subject: null }))].toSorted((a, b) =>
      a.text < b.text ? -1 : 1,
    )
    for (const chunk of chunksOf(changes)) {
      const names: Array<string> = []
      const keys: Array<SubjectKey> = []
      const free: Array<string> = []
      for (const { subject, text } of chunk) {
        if (subject === null) free.push(shortened(text))
        else {
          names.push(shortened(text))
          keys.push(subject)
        }
      }
      yield* connection.executeWithNext(identifiersSql, [workspace, texts(free), texts(names), int8s(keys)])
    }
  })

/** Returns the links that were actually inserted or deleted. */
const linksSql = inBothForms(
  (rows) => `
  WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::boolean[]) AS w (target, subject, is_linked)),
  linked AS (
    INSERT INTO links (workspace, target, subject) SELECT $1, target, subject FROM wanted WHERE is_linked
    ON CONFLICT (workspace, target, subject) DO NOTHING RETURNING target, subject
  ),
  unlinked AS (
    DELETE FROM links WHERE ${rows.listed("links", "wanted", "NOT wanted.is_linked AND links.target = wanted.target AND links.subject = wanted.subject")}
    RETURNING target, subject
  )
  SELECT target, subject, true FROM linked UNION ALL SELECT target, subject, false FROM unlinked`,
)

/**
 * Adds a change to the size of each subject, which is the number of links to it. If a subject has no row yet, inserts a
 * row only if `may_insert` is true.
 */
const sizesSql = `
  INSERT INTO sizes (workspace, subject, size)
  SELECT $1, subject, by FROM unnest($2::bigint[], $3::bigint[], $4::boolean[]) AS changed (subject, by, may_insert)
  WHERE may_insert OR (SELECT true FROM sizes WHERE sizes.workspace = $1 AND sizes.subject = changed.subject)
  ON CONFLICT (workspace, subject) DO UPDATE SET size = sizes.size + excluded.size`

/** Saves the sizes of those subjects that are segments. */
const segmentSizesSql = `
  INSERT INTO segment_sizes (workspace, segment, day, size)
  SELECT $1, segment, $4::bigint, coalesce((SELECT size FROM sizes WHERE workspace = $1 AND subject = resized.members), 0)
  FROM unnest($2::bigint[], $3::bigint[]) AS resized (segment, members)
  WHERE (SELECT state FROM subjects WHERE workspace = $1 AND key = resized.segment) = ${stateCodes.segment}
  ON CONFLICT (workspace, segment, day) DO UPDATE SET size = excluded.size`

const saveLinks = (
  connection: Connection,
  state: WorkingSet,
  rows: ReadonlyArray<LinkRow>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    const { workspace } = state
    const changed: Array<LinkRow> = []
    for (const chunk of chunksOf(rows.toSorted(byTarget))) {
      const done = yield* connection.queryByIndex(linksSql[connection.rowForm], [
        workspace,
        int8s(chunk.map(({ target }) => target)),
        int8s(chunk.map(({ subject }) => subject)),
        bools(chunk.map(({ isLinked }) => isLinked)),
      ])
      for (const [target, subject, isLinked] of done) {
        changed.push({
          target: subjectKey(integer(target)),
          subject: subjectKey(integer(subject)),
          isLinked: isLinked === true,
        })
      }
    }
    const resized = sizeRows(changed, state)
    for (const chunk of chunksOf(resized)) {
      yield* connection.executeWithNext(sizesSql, [
        workspace,
        int8s(chunk.map(({ subject }) => subject)),
        int8s(chunk.map(({ by }) => by)),
        bools(chunk.map(({ mayInsert }) => mayInsert)),
      ])
    }
    for (const chunk of chunksOf(segmentSizeRows(resized, state))) {
      yield* connection.executeWithNext(segmentSizesSql, [
        workspace,
        int8s(chunk.map(({ segment }) => segment)),
        int8s(chunk.map(({ members }) => members)),
        chunk[0]?.day ?? 0,
      ])
    }
  })

const byTarget = (a: LinkRow, b: LinkRow): number => a.target - b.target || a.subject - b.subject

const saveSuppressions = (
  connection: Connection,
  workspace: WorkspaceId,
  { freed, inserted, liftedGroups }: SuppressionRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const groups of chunksOf(liftedGroups)) {
      yield* connection.executeWithNext(
        "DELETE FROM suppressions WHERE workspace = $1 AND group_key = ANY($2::bigint[])",
        [workspace, int8s(groups)],
      )
    }
    for (const digests of chunksOf(freed)) {
      yield* connection.executeWithNext(
        'DELETE FROM suppressions WHERE workspace = $1 AND digest = ANY($2::text[] COLLATE "C")',
        [workspace, texts(digests)],
      )
    }
    for (const chunk of chunksOf(inserted)) {
      yield* connection.executeWithNext(
        "INSERT INTO suppressions (workspace, digest, group_key) SELECT $1, * FROM unnest($2::text[], $3::bigint[])",
        [workspace, texts(chunk.map(({ digest }) => digest)), int8s(chunk.map(({ group }) => group))],
      )
    }
  })

const heldSql = `
  INSERT INTO addressed (workspace, address, delivery) SELECT $1, * FROM unnest($2::text[], $3::bigint[])
  ON CONFLICT (workspace, address, delivery) DO NOTHING`

const erasedSql = `
  INSERT INTO erased_addresses (workspace, address, subject, before) SELECT $1, * FROM unnest($2::text[], $3::bigint[], $4::bigint[])
  ON CONFLICT (workspace, address, subject) DO UPDATE SET before = excluded.before`

const saveAddresses = (
  connection: Connection,
  workspace: WorkspaceId,
  { erased, held }: AddressRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const chunk of chunksOf(held)) {
      yield* connection.executeWithNext(heldSql, [
        workspace,
        texts(chunk.map(({ address }) => address)),
        int8s(chunk.map(({ delivery }) => delivery)),
      ])
    }
    for (const chunk of chunksOf(erased)) {
      yield* connection.executeWithNext(erasedSql, [
        workspace,
        texts(chunk.map(({ address }) => address)),
        int8s(chunk.map(({ subject }) => subject)),
        int8s(chunk.map(({ before }) => before)),
      ])
    }
  })

const removeLeavesSql = inBothForms(
  (rows) => `
  DELETE FROM leaf_states
  WHERE ${rows.listed("leaf_states", "unnest($2::bigint[], $3::bigint[]) AS wanted (subject, leaf)", "leaf_states.subject = wanted.subject AND leaf_states.leaf = wanted.leaf")}`,
)

const leavesSql = `
  INSERT INTO leaf_states (workspace, subject, leaf, ring, due)
  SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
  ON CONFLICT (workspace, subject, leaf) DO UPDATE SET ring = excluded.ring, due = excluded.due`

const saveLeaves = (
  connection: Connection,
  workspace: WorkspaceId,
  { removed, saved }: LeafRows,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const chunk of chunksOf(removed)) {
      yield* connection.executeWithNext(removeLeavesSql[connection.rowForm], [
        workspace,
        int8s(chunk.map(({ subject }) => subject)),
        int8s(chunk.map(({ leaf }) => leaf)),
      ])
    }
    for (const chunk of chunksOf(saved.toSorted(bySubject), ({ ring }) => ring.length)) {
      yield* connection.executeWithNext(leavesSql, [
        workspace,
        int8s(chunk.map(({ subject }) => subject)),
        int8s(chunk.map(({ leaf }) => leaf)),
        texts(chunk.map(({ ring }) => ring)),
        int8s(chunk.map(({ due }) => due)),
      ])
    }
  })

const erasuresSql = `
  WITH given AS (
    SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::boolean[], $6::bigint[], $7::text[])
      AS g (at, position, doc, has_receipt, repeated_on, sealed)
  ),
  told AS (
    INSERT INTO forward_names (workspace, position, forward, at, sealed)
    SELECT forwards.workspace, given.position, forwards.id, given.at, given.sealed FROM given
    JOIN forwards ON forwards.workspace = $1
    WHERE given.sealed IS NOT NULL
    ON CONFLICT (workspace, position, forward) DO UPDATE SET at = excluded.at, sealed = excluded.sealed
  ),
  expected AS (
    INSERT INTO erasure_receipts (workspace, at, position) SELECT $1, at, position FROM given WHERE has_receipt
    ON CONFLICT (workspace, at, position) DO NOTHING
  ),
  noticed AS (
    INSERT INTO lake_erasures (workspace, position, subject, received)
    SELECT lake.workspace, given.position, given.repeated_on, given.at FROM given
    JOIN log_cursors AS lake ON lake.workspace = $1 AND lake.destination = 'lake' AND lake.sequence > 0
    WHERE given.repeated_on IS NOT NULL
    ON CONFLICT DO NOTHING
  )
  INSERT INTO erasures (workspace, at, position, doc) SELECT $1, at, position, doc FROM given
  ON CONFLICT (workspace, at, position) DO NOTHING`

const saveErasures = (
  connection: Connection,
  workspace: WorkspaceId,
  rows: ReadonlyArray<ErasureRow>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const chunk of chunksOf(rows, ({ doc }) => doc.length)) {
      yield* connection.executeWithNext(erasuresSql, [
        workspace,
        int8s(chunk.map(({ at }) => at)),
        int8s(chunk.map(({ position }) => position)),
        texts(chunk.map(({ doc }) => doc)),
        bools(chunk.map(({ hasReceipt }) => hasReceipt)),
        int8s(chunk.map(({ repeatedOn }) => repeatedOn)),
        texts(chunk.map(({ sealed }) => sealed)),
      ])
    }
  })

const forgetErrorsSql = `
  DELETE FROM import_errors USING import_error_names AS named
  WHERE named.workspace = $1 AND named.digest = ANY($2::text[] COLLATE "C")
    AND import_errors.workspace = $1 AND import_errors.job = named.job AND import_errors.number = named.number`

/** Forgets what the errors of imports say about people whom a batch deleted, so that no reader sees it after the commit. */
const forgetImportErrors = (
  connection: Connection,
  workspace: WorkspaceId,
  digests: ReadonlySet<string>,
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const chunk of chunksOf([...digests], (digest) => digest.length)) {
      yield* connection.executeWithNext(forgetErrorsSql, [workspace, texts(chunk)])
    }
  })

const bySubject = (a: LeafRow, b: LeafRow): number => a.subject - b.subject || a.leaf - b.leaf
