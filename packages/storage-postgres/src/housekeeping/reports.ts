import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Row } from "@inlet/storage/columns"
import { sequenceIn } from "@inlet/storage/entryRows"
import { reportsPerStep, type Progress } from "@inlet/storage/sweepBudget"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { eraseEntries, readEntriesOf, redaction } from "./entries.ts"

/**
 * Checks the next reports on a delivery, at log positions greater than `from` and less than `before`. Redacts the
 * reports for which `isWanted` returns true. In the result, `to` is the position of the last checked report.
 */
export const redactReports = (
  connection: Connection,
  workspace: WorkspaceId,
  delivery: SubjectKey,
  before: Sequence,
  from: number,
  isWanted: (row: Row) => boolean,
): Effect.Effect<Progress & { readonly to: number }, DatabaseError> =>
  Effect.gen(function* () {
    const range = { from, before }
    const { isAll, rows } = yield* readEntriesOf(connection, workspace, delivery, range, reportsPerStep)
    yield* eraseEntries(connection, workspace, { redacted: rows.filter(isWanted).map(redaction) })
    const last = rows.at(-1)
    return { rows: 1 + rows.length, isDone: isAll, to: last === undefined ? from : sequenceIn(last) }
  })
