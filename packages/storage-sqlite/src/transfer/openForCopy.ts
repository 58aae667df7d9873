import type { TransferSource, TransferTarget } from "@inlethq/storage/transfer/Transfer"
import { Effect, type Scope } from "effect"
import { lockDirectory } from "../engine/DataDirectory.ts"
import { attempt } from "../engine/sqliteErrors.ts"
import { openDatabase } from "../openDatabase.ts"
import type { OpenError } from "../SqliteStore.ts"
import { transferSource } from "./source.ts"
import { transferTarget } from "./target.ts"

export type Errors = OpenError

/** Opens a data directory to copy its data to another store. Fails if a server uses it. */
export const openSource = (directory: string): Effect.Effect<TransferSource, Errors, Scope.Scope> =>
  Effect.gen(function* () {
    yield* lockDirectory(directory)
    const database = yield* openDatabase(directory, { mustExist: true })
    return yield* attempt("prepare its SQL statements", () => transferSource(database))
  })

/** Opens a data directory to copy data into it, and creates it if it is missing. Fails if a server uses it. */
export const openTarget = (directory: string): Effect.Effect<TransferTarget, Errors, Scope.Scope> =>
  Effect.gen(function* () {
    yield* lockDirectory(directory)
    const database = yield* openDatabase(directory, { isCopyTarget: true })
    return yield* attempt("prepare its SQL statements", () => transferTarget(database))
  })
