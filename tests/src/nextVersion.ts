import { released, type Migration } from "@inlet/storage-postgres/migrations/released"

/**
 * Node loads this module before the server. The module adds a migration to those of the server, so that the server acts
 * as a newer version of Inlet. The migration adds columns, an index and a table, as the rules for migrations allow.
 */

const last = released.at(-1)?.id ?? 0

const next: Migration = {
  id: last + 1,
  name: "of the next version",
  statements: [
    "ALTER TABLE activity ADD COLUMN note TEXT",
    "ALTER TABLE subjects ADD COLUMN rank BIGINT NOT NULL DEFAULT 0",
    "ALTER TABLE heads ADD COLUMN notes BIGINT NOT NULL DEFAULT 0",
    "CREATE INDEX subjects_by_rank ON subjects (workspace, rank)",
    "CREATE TABLE notes (workspace BIGINT PRIMARY KEY, text TEXT NOT NULL)",
  ],
}

Array.prototype.push.call(released, next)
