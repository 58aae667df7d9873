import type { DecidedBatch } from "@inlet/core/Batch"
import { Digest } from "@inlet/core/ports/Digest"
import { Catalog } from "@inlet/core/catalog/Catalog"
import type { Needs } from "@inlet/core/Needs"
import { Turns, type ReadTurns } from "@inlet/core/catalog/ReadTurns"
import { Registry } from "@inlet/core/ports/Registry"
import { Store, type StoreUnavailable } from "@inlet/core/ports/Store"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { Context, Effect, Layer, type Scope } from "effect"
import { saveDecided } from "./write/saveDecided.ts"
import { openDatabase, type Database, type DatabaseError } from "./engine/Database.ts"
import { makeDirectory } from "./read/catalog.ts"
import { holdDirectory, type DataDirectoryInUse } from "./engine/DataDirectory.ts"
import { loadWorkingSet } from "./read/loadWorkingSet.ts"
import { attempt } from "./engine/sqliteErrors.ts"
import { probeCommit } from "./write/commitProbe.ts"
import { Recent } from "./read/SubjectCache.ts"
import { makeRegistry } from "./registry.ts"
import { sweepStep } from "./housekeeping/sweep.ts"
import { uploads } from "./write/uploads.ts"

/** Where everything is kept: a directory that one process at a time works on. */
export interface SqliteStoreOptions {
  readonly directory: string
  /** Rows that one step of housekeeping looks at. */
  readonly sweepRowsMax?: number | undefined
  /** Refuses a directory without data rather than starting empty. */
  readonly mustExist?: boolean
}

/** Why a data directory cannot be opened. */
export type OpenError = DataDirectoryInUse | DatabaseError

/**
 * Keeps everything in SQLite files in a data directory, which it makes where there is none and holds until the scope
 * closes. Calls block their thread.
 */
export const layer = (
  options: SqliteStoreOptions,
): Layer.Layer<Store | Catalog | Registry, OpenError, Digest> => Layer.effectContext(open(options))

const open = Effect.fn("SqliteStore.open")(function* ({
  directory,
  mustExist = false,
  sweepRowsMax,
}: SqliteStoreOptions): Effect.fn.Return<
  Context.Context<Store | Catalog | Registry>,
  OpenError,
  Digest | Scope.Scope
> {
  yield* holdDirectory(directory)
  return yield* services(yield* openDatabase(directory, mustExist), sweepRowsMax)
})

/** What a database is used through. */
export const services = (
  database: Database,
  sweepRowsMax?: number,
): Effect.Effect<Context.Context<Store | Catalog | Registry>, StoreUnavailable, Digest> =>
  Effect.gen(function* () {
    const digest = yield* Digest
    const turns = yield* Turns
    return yield* attempt("prepare its statements", () =>
      Context.make(Store, makeStore(database, digest, turns, sweepRowsMax)).pipe(
        Context.add(Catalog, makeDirectory(database, digest, turns)),
        Context.add(Registry, makeRegistry(database)),
      ),
    )
  })

const makeStore = (
  database: Database,
  digest: Digest["Service"],
  turns: ReadTurns,
  sweepRowsMax?: number,
): Store["Service"] => {
  const recent = new Recent()
  const load = loadWorkingSet(database, digest, recent)
  const save = saveDecided(database, recent)
  const probe = probeCommit(database)
  const registerUpload = uploads(database)
  const sweep = sweepStep(database, recent, digest, sweepRowsMax)
  const decideAndSave = (needs: Needs, decide: (seen: WorkingSet) => DecidedBatch): DecidedBatch => {
    const seen = load(needs)
    const { nextKey, nextSequence } = seen
    const decided = decide(seen)
    save(decided, { nextKey, nextSequence })
    return decided
  }
  return {
    transact: (needs, decide) =>
      Effect.andThen(
        database.keptUp,
        attempt("commit", () => database.write(() => decideAndSave(needs, decide))),
      ).pipe(Effect.tap(turns.committed)),
    view: (needs) => attempt("read", () => database.read(() => load(needs))),
    probe: Effect.andThen(database.keptUp, attempt("commit", probe)),
    registerUpload: (part) => attempt("register an upload", () => registerUpload(part)),
    sweep: (now) =>
      Effect.andThen(
        database.keptUp,
        attempt("sweep", () => sweep(now)),
      ),
  }
}
