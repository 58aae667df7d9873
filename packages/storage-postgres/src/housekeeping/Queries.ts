import type { ErasureQueries } from "@inlethq/storage/erasing/ErasureQueries"
import type { DatabaseError } from "../engine/DatabaseError.ts"

/** Some of the questions of housekeeping. */
export type Queries<Name extends keyof ErasureQueries<DatabaseError>> = Pick<
  ErasureQueries<DatabaseError>,
  Name
>
