import { describe, expect, it } from "vitest"
import { problemsOf } from "./distributedLint.ts"

/** Statements as they were before they could run on distributed tables, and what is wrong with each. */
const refused: ReadonlyArray<readonly [name: string, problem: RegExp, sql: string]> = [
  [
    "the counts of removed entries",
    /ctid/,
    `WITH removed AS (DELETE FROM activity WHERE workspace = $1 AND sequence = ANY($2::bigint[]) RETURNING sequence, kind, outcome)
    UPDATE log_counts SET entries = entries - places.lost FROM (
      SELECT wanted.*, found.place FROM (SELECT sequence / 512 AS block, count(*) AS lost FROM removed GROUP BY 1) AS wanted
      CROSS JOIN LATERAL (SELECT ctid AS place FROM log_counts WHERE log_counts.workspace = $1 AND block = wanted.block OFFSET 0) AS found
    ) AS places WHERE log_counts.ctid = places.place`,
  ],
  [
    "redacted entries",
    /ctid/,
    `UPDATE activity SET detail = places.detail FROM (
      SELECT wanted.*, found.place FROM unnest($3::bigint[], $4::text[]) AS wanted (sequence, detail)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM activity WHERE activity.workspace = $1 AND sequence = wanted.sequence OFFSET 0) AS found
    ) AS places WHERE activity.ctid = places.place`,
  ],
  [
    "parts of entries",
    /ctid/,
    `DELETE FROM entry_parts WHERE entry_parts.ctid = ANY (ARRAY(SELECT place FROM (
      SELECT wanted.*, found.place FROM unnest($5::bigint[], $6::bigint[]) AS wanted (sequence, subject)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM entry_parts WHERE entry_parts.workspace = $1 AND sequence = wanted.sequence OFFSET 0) AS found
    ) AS places))`,
  ],
  [
    "answers of receivers",
    /ctid/,
    `UPDATE webhook_attempts SET doc = places.doc FROM (
      SELECT wanted.*, found.place FROM unnest($2::text[], $3::bigint[], $4::text[]) AS wanted (webhook, key, doc)
      CROSS JOIN LATERAL (SELECT ctid AS place FROM webhook_attempts WHERE webhook_attempts.workspace = $1 AND key = wanted.key OFFSET 0) AS found
    ) AS places WHERE webhook_attempts.ctid = places.place`,
  ],
  [
    "identifiers of visitors",
    /ctid/,
    "DELETE FROM identifiers WHERE identifiers.ctid = ANY (ARRAY(SELECT ctid FROM identifiers WHERE workspace = $1 AND text = ANY($3)))",
  ],
  [
    "links of visitors",
    /ctid/,
    "DELETE FROM links WHERE links.ctid = ANY (ARRAY(SELECT ctid FROM links WHERE workspace = $1 AND target = ANY($3)))",
  ],
  [
    "sizes",
    /ctid/,
    "UPDATE sizes SET size = size - places.count FROM (SELECT ctid AS place FROM sizes WHERE workspace = $1) AS places WHERE sizes.ctid = places.place",
  ],
  [
    "documents without a link",
    /ctid/,
    "UPDATE subjects SET doc = places.doc FROM (SELECT ctid AS place FROM subjects WHERE workspace = $1) AS places WHERE subjects.ctid = places.place",
  ],
  [
    "changed links",
    /ctid/,
    `WITH wanted AS (SELECT * FROM unnest($2::bigint[], $3::bigint[], $4::boolean[]) AS w (target, subject, is_linked)),
    unlinked AS (DELETE FROM links WHERE links.ctid = ANY (ARRAY(SELECT ctid FROM links WHERE workspace = $1)) RETURNING target, subject)
    SELECT target, subject FROM unlinked`,
  ],
  [
    "states of leaves",
    /ctid/,
    "DELETE FROM leaf_states WHERE leaf_states.ctid = ANY (ARRAY(SELECT ctid FROM leaf_states WHERE workspace = $1))",
  ],
  [
    "rows of a deleted workspace",
    /ctid/,
    "DELETE FROM subjects WHERE ctid = ANY (ARRAY(SELECT ctid FROM subjects WHERE workspace = $1 ORDER BY workspace, key LIMIT $2))",
  ],
  [
    "expired attempts",
    /ctid/,
    "DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(SELECT ctid FROM webhook_attempts WHERE workspace = $1 AND webhook = $2 LIMIT 500))",
  ],
  [
    "old writers",
    /locks rows of writers across workspaces/,
    "DELETE FROM writers WHERE writer = ANY (ARRAY(SELECT writer FROM writers WHERE at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED))",
  ],
  [
    "work of housekeeping",
    /joins subjects without a workspace/,
    `SELECT workspace FROM (SELECT workspace, pruned_to FROM heads WHERE deleted_at IS NULL ORDER BY workspace <= $1, workspace LIMIT 1000) AS heads
    WHERE EXISTS (SELECT FROM subjects WHERE subjects.workspace = heads.workspace AND state IN (1, 2)) LIMIT 1`,
  ],
  [
    "webhooks with expired rows",
    /joins webhook_attempts without a workspace/,
    `SELECT workspace, webhook FROM webhook_progress AS webhooks WHERE removed OR EXISTS (
      SELECT FROM webhook_attempts AS rows WHERE rows.workspace = webhooks.workspace AND rows.webhook = webhooks.webhook AND at < $1
    ) LIMIT 1`,
  ],
  [
    "due leaves",
    /joins heads without a workspace/,
    `SELECT found.workspace, found.subject, found.due FROM heads CROSS JOIN LATERAL (
      SELECT workspace, subject, leaf, due FROM leaf_states WHERE leaf_states.workspace = heads.workspace AND due <= $1 ORDER BY due LIMIT $2
    ) AS found WHERE heads.rules_version > 0`,
  ],
  [
    "receipts to seal",
    /joins erasure_receipts without a workspace/,
    `SELECT receipt.workspace, (
      SELECT doc FROM erasures AS found WHERE found.workspace = receipt.workspace AND found.at = receipt.at
    ) AS doc FROM (SELECT workspace, at FROM erasure_receipts WHERE doc IS NULL ORDER BY at DESC LIMIT 251) AS receipt`,
  ],
  [
    "surplus of rejected calls",
    /changes activity without a workspace/,
    `WITH surplus AS (SELECT workspace, sequence FROM rejected_calls WHERE workspace = $1)
    UPDATE activity SET name = NULL FROM surplus WHERE activity.workspace = surplus.workspace AND activity.sequence = surplus.sequence`,
  ],
  [
    "a row without a workspace",
    /inserts into links without a workspace/,
    "INSERT INTO links (target) VALUES ($1)",
  ],
]

const accepted: ReadonlyArray<readonly [name: string, sql: string]> = [
  [
    "a read across workspaces",
    "SELECT workspace FROM heads WHERE deleted_at IS NULL ORDER BY workspace <= $1, workspace",
  ],
  [
    "a join within a workspace",
    "SELECT 1 FROM links LEFT JOIN subjects AS found ON found.workspace = $1 AND found.key = links.subject WHERE links.workspace = $1",
  ],
  ["a lock within a workspace", "SELECT next_key FROM heads WHERE workspace = $1 FOR UPDATE"],
  [
    "a join with a table that every server has",
    "SELECT 1 FROM workspaces JOIN keys ON keys.workspace = workspaces.id",
  ],
]

describe("the lint for statements of distributed tables", () => {
  it.each(refused)("refuses %s", (_, problem, sql) => {
    expect(problemsOf(sql).join("\n")).toMatch(problem)
  })

  it.each(accepted)("accepts %s", (_, sql) => {
    expect(problemsOf(sql)).toEqual([])
  })
})
