import { schema } from "./schema.ts"

/** An index on a table that may have many rows. */
export interface NewIndex {
  readonly name: string
  /** The table, the columns and the condition, as they follow `ON`. */
  readonly on: string
  readonly isUnique?: boolean
}

/** A change of the tables from one format to the next. `id` is the number of the new format. */
interface TableMigration {
  readonly id: number
  readonly name: string
  /**
   * The statements of the migration, which run in order in one transaction. They change no row of a large table and build
   * no index on it, because writes would wait.
   */
  readonly statements: ReadonlyArray<string>
  /** Whether nodes of earlier formats cannot work with the tables afterwards, if the statements do not say it. */
  readonly removes?: boolean
}

/** Builds indexes, each while nodes read and write. One that was interrupted begins again. */
interface IndexMigration {
  readonly id: number
  readonly name: string
  readonly indexes: ReadonlyArray<NewIndex>
}

export type Migration = TableMigration | IndexMigration

/**
 * The migrations in order. A migration that was released is never edited. Builds from before the first release used
 * formats below 47.
 *
 * Nodes of the previous format keep running while a new node migrates, so a migration only adds: tables, columns
 * that are nullable or have a default, and indexes in a migration of their own. A column is removed at the earliest two releases after the last version
 * of Inlet that uses the column. A column becomes mandatory at the earliest two releases after the last version that
 * leaves the column empty. Statements name the columns that they read and write.
 */
export const released: ReadonlyArray<Migration> = [{ id: 47, name: "first release", statements: schema }]

/** The format that nodes with these migrations work with. */
export const newestFormat = (migrations: ReadonlyArray<Migration> = released): number =>
  migrations.at(-1)?.id ?? 0

/** Whether a migration removes what nodes of earlier formats use. */
export const removes = (migration: Migration): boolean =>
  "statements" in migration &&
  (migration.removes ?? migration.statements.some((statement) => /\b(DROP|RENAME)\b/i.test(statement)))
