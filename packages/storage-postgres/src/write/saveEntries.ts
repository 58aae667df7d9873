import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import type { BatchRows, HeadRow } from "@inlethq/storage/rows/batchRows"
import type { EntryRow } from "@inlethq/storage/rows/entryRows"
import type { PartRow } from "@inlethq/storage/rows/partRows"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { int2s, int8s, texts, type Parameter } from "../engine/parameters.ts"
import { shortened } from "../tables/indexedText.ts"
import { chunksOf } from "../engine/chunks.ts"

const partsSql = `
  INSERT INTO entry_parts (workspace, sequence, subject, place, doc)
  SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[])`

const contextsSql = `
  INSERT INTO contexts (workspace, number, digest, json)
  SELECT $1, * FROM unnest($2::smallint[], $3::text[], $4::text[])`

const releaseSql = `
  UPDATE activity SET claim = NULL, long_claim = NULL WHERE workspace = $1 AND claim = ANY($2::text[] COLLATE "C")`

/** The last five parameters are the values of the workspace's row in `heads`, which this statement also saves. */
const entriesSql = `
  WITH saved AS (UPDATE heads SET next_key = $20, next_sequence = $21, latest_receipt = $22, records = $23, rules_version = $24 WHERE workspace = $1)
  INSERT INTO activity (workspace, sequence, subject, kind, name, source, outcome, at, received, processed, claim, long_claim, parts, detail, rule_code, reason_code, anonymous_code, sender, context)
  SELECT $1, * FROM unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::text[], $6::smallint[], $7::smallint[], $8::bigint[],
    $9::bigint[], $10::bigint[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::smallint[], $16::smallint[], $17::smallint[], $18::smallint[], $19::smallint[])`

const headSql =
  "UPDATE heads SET next_key = $2, next_sequence = $3, latest_receipt = $4, records = $5, rules_version = $6 WHERE workspace = $1"

/** Saves the log entries of a batch, their parts, and the workspace's row in `heads`. */
export const saveEntries = (
  connection: Connection,
  workspace: WorkspaceId,
  {
    contexts,
    entries,
    entryParts,
    head,
    releasedClaims,
  }: Pick<BatchRows, "contexts" | "entryParts" | "head" | "releasedClaims"> & {
    readonly entries: ReadonlyArray<EntryRow>
  },
): Effect.Effect<void, DatabaseError> =>
  Effect.gen(function* () {
    for (const chunk of chunksOf(entryParts, ({ doc }) => doc.length)) {
      yield* connection.executeWithNext(partsSql, [workspace, ...partColumns(chunk)])
    }
    for (const chunk of chunksOf(contexts, ({ json }) => json.length)) {
      yield* connection.executeWithNext(contextsSql, [
        workspace,
        int2s(chunk.map(({ number }) => number)),
        texts(chunk.map(({ digest }) => digest)),
        texts(chunk.map(({ json }) => json)),
      ])
    }
    for (const claims of chunksOf([...releasedClaims].map(shortened).toSorted())) {
      yield* connection.executeWithNext(releaseSql, [workspace, texts(claims)])
    }
    const rows = releasedClaims.size === 0 ? entries : withLastClaims(entries, releasedClaims)
    for (const chunk of chunksOf(rows, ({ detail }) => detail.length)) {
      yield* connection.executeWithNext(entriesSql, [workspace, ...entryColumns(chunk), ...headColumns(head)])
    }
    if (rows.length === 0) yield* connection.executeWithNext(headSql, [workspace, ...headColumns(head)])
  })

/**
 * A batch can free a deduplication key and use it again several times. Only the last entry with the key keeps the key.
 */
const withLastClaims = (
  entries: ReadonlyArray<EntryRow>,
  released: ReadonlySet<string>,
): ReadonlyArray<EntryRow> => {
  const claimed = new Set<string>()
  return entries
    .toReversed()
    .map((entry): EntryRow => {
      const { claim } = entry
      if (claim === null || !released.has(claim)) return entry
      if (!claimed.has(claim)) {
        claimed.add(claim)
        return entry
      }
      return { ...entry, claim: null }
    })
    .toReversed()
}

const headColumns = ({
  latestReceipt,
  nextKey,
  nextSequence,
  records,
  rulesVersion,
}: HeadRow): ReadonlyArray<Parameter> => [nextKey, nextSequence, latestReceipt, records, rulesVersion]

const entryColumns = (rows: ReadonlyArray<EntryRow>): ReadonlyArray<Parameter> => [
  int8s(rows.map(({ sequence }) => sequence)),
  int8s(rows.map(({ subject }) => subject)),
  int2s(rows.map(({ kind }) => kind)),
  texts(rows.map(({ name }) => name)),
  int2s(rows.map(({ source }) => source)),
  int2s(rows.map(({ outcome }) => outcome)),
  int8s(rows.map(({ at }) => at)),
  int8s(rows.map(({ received }) => received)),
  int8s(rows.map(({ processed }) => processed)),
  texts(rows.map(({ claim }) => (claim === null ? null : shortened(claim)))),
  texts(rows.map(({ claim }) => (claim === null || shortened(claim) === claim ? null : claim))),
  int8s(rows.map(({ parts }) => parts)),
  texts(rows.map(({ detail }) => detail)),
  int2s(rows.map((row) => row.rule_code)),
  int2s(rows.map((row) => row.reason_code)),
  int2s(rows.map((row) => row.anonymous_code)),
  int2s(rows.map(({ sender }) => sender)),
  int2s(rows.map(({ context }) => context)),
]

const partColumns = (rows: ReadonlyArray<PartRow>): ReadonlyArray<Parameter> => [
  int8s(rows.map(({ sequence }) => sequence)),
  int8s(rows.map(({ subject }) => subject)),
  int8s(rows.map(({ place }) => place)),
  texts(rows.map(({ doc }) => doc)),
]
