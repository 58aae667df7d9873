import { schema } from "./schema.ts"

/** A change of the tables from one format to the next. `id` is the number of the new format. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

/**
 * The migrations in order. A migration that was released is never edited. Builds from before the first release used
 * formats below 47.
 */
export const released: ReadonlyArray<Migration> = [{ id: 47, name: "first release", sql: schema }]
