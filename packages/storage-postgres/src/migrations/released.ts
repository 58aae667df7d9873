import { schema } from "./schema.ts"

/** A change of the tables from one format to the next. `id` is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  /** The statements of the migration, which run in order in one transaction. */
  readonly statements: ReadonlyArray<string>
  /** Whether nodes of earlier formats cannot work with the tables afterwards, if the statements do not say it. */
  readonly removes?: boolean
}

/**
 * The migrations in order. A migration that was released is never edited. Builds from before the first release used
 * formats below 46.
 *
 * Nodes of the previous format keep running while a new node migrates, so a migration only adds: tables, indexes, and
 * columns that are nullable or have a default. A column is removed at the earliest two releases after the last version
 * of Inlet that uses the column. A column becomes mandatory at the earliest two releases after the last version that
 * leaves the column empty. Statements name the columns that they read and write.
 */
export const released: ReadonlyArray<Migration> = [{ id: 46, name: "first release", statements: schema }]

/** The format that nodes with these migrations work with. */
export const newestFormat = (migrations: ReadonlyArray<Migration> = released): number =>
  migrations.at(-1)?.id ?? 0

/** Whether a migration removes what nodes of earlier formats use. */
export const removes = ({ removes: isRemoving, statements }: Migration): boolean =>
  isRemoving ?? statements.some((statement) => /\b(DROP|RENAME)\b/i.test(statement))
