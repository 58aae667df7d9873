import { listedCodes, stateCodes } from "@inlet/storage/codes"
import { indexedName, kindAndOutcome } from "../tables/indexedColumns.ts"

const isListed = `state IN (${listedCodes.join(", ")})`
const isErased = `state IN (${stateCodes.erased}, ${stateCodes.stillNamed})`

/**
 * The tables of a workspace's data. Texts that are compared have the collation "C", which compares code points and does
 * not depend on the libraries of the server's operating system.
 *
 * Rows of `heads` and `subjects` are updated often. Their pages keep some free space, so that PostgreSQL can store an
 * updated row on the same page and need not change the indexes. PostgreSQL can do so only if no column of any index
 * changes, even of an index that does not contain the row. Therefore no index has the column `updated`, which changes
 * with each update of a person. The column `seen` equals `updated` for anonymous visitors, and is null for everything
 * else.
 */
export const workspaceData: ReadonlyArray<string> = [
  `CREATE TABLE heads (
    workspace INTEGER PRIMARY KEY,
    next_key BIGINT NOT NULL DEFAULT 1,
    next_sequence BIGINT NOT NULL DEFAULT 1,
    latest_receipt BIGINT,
    pruned_to BIGINT NOT NULL DEFAULT 0
  ) WITH (fillfactor = 20)`,

  `CREATE TABLE activity (
    sequence BIGINT NOT NULL,
    subject BIGINT,
    at BIGINT NOT NULL,
    received BIGINT NOT NULL,
    processed BIGINT,
    workspace INTEGER NOT NULL,
    parts INTEGER,
    kind SMALLINT,
    source SMALLINT NOT NULL,
    outcome SMALLINT NOT NULL,
    name TEXT COLLATE "C",
    claim TEXT COLLATE "C",
    long_claim TEXT COLLATE "C",
    detail TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence)
  )`,
  `CREATE UNIQUE INDEX activity_claim ON activity (workspace, claim) WHERE claim IS NOT NULL`,
  `CREATE INDEX activity_subject ON activity (workspace, subject, sequence) WHERE subject IS NOT NULL`,
  `CREATE INDEX activity_outcome ON activity (workspace, ${kindAndOutcome}, sequence)`,
  `CREATE INDEX activity_name ON activity (workspace, ${indexedName}, sequence) WHERE name IS NOT NULL`,

  `CREATE TABLE entry_parts (
    sequence BIGINT NOT NULL,
    subject BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    place INTEGER NOT NULL,
    doc TEXT NOT NULL,
    PRIMARY KEY (workspace, sequence, subject, place)
  )`,
  `CREATE INDEX entry_parts_subject ON entry_parts (workspace, subject, sequence)`,

  `CREATE TABLE identifiers (
    subject BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    text TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, text)
  )`,

  `CREATE TABLE subjects (
    key BIGINT NOT NULL,
    owner BIGINT,
    created BIGINT,
    updated BIGINT,
    workspace INTEGER NOT NULL,
    state SMALLINT NOT NULL,
    name TEXT COLLATE "C",
    doc TEXT NOT NULL,
    seen BIGINT GENERATED ALWAYS AS (CASE WHEN state = ${stateCodes.anonymous} THEN updated END) STORED,
    PRIMARY KEY (workspace, key)
  ) WITH (fillfactor = 80)`,
  `CREATE INDEX subjects_listed ON subjects (workspace, state, key) WHERE ${isListed}`,
  `CREATE INDEX subjects_of_type ON subjects (workspace, ${indexedName}, key) WHERE state = ${stateCodes.object}`,
  `CREATE INDEX subjects_anonymous ON subjects (workspace, seen) WHERE seen IS NOT NULL`,
  `CREATE INDEX subjects_erased ON subjects (workspace, state, key) WHERE ${isErased}`,

  `CREATE TABLE links (
    target BIGINT NOT NULL,
    subject BIGINT NOT NULL,
    cleaned BIGINT NOT NULL DEFAULT 0,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, target, subject)
  )`,
  `CREATE TABLE sizes (
    subject BIGINT NOT NULL,
    size BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    PRIMARY KEY (workspace, subject)
  ) WITH (fillfactor = 80)`,

  `CREATE TABLE addressed (
    delivery BIGINT NOT NULL,
    cleaned BIGINT NOT NULL DEFAULT 0,
    workspace INTEGER NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, address, delivery)
  )`,
  `CREATE TABLE erased_addresses (
    subject BIGINT NOT NULL,
    before BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    address TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, address, subject)
  )`,
  `CREATE TABLE suppressions (
    group_key BIGINT NOT NULL,
    workspace INTEGER NOT NULL,
    digest TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (workspace, digest)
  )`,
  `CREATE INDEX suppressed_together ON suppressions (workspace, group_key)`,
]
