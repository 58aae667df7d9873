import { integer } from "@inlethq/storage/columns/columns"
import type { Database } from "../engine/Database.ts"

/** Prepares a read of the size of the database file in bytes, without the write-ahead log. */
export const readSize = (database: Database): (() => number) => {
  const statement = database.prepareByPlace(
    "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
  )
  return () => integer(statement.get()?.[0])
}
