import type { DecidedBatch } from "@inlethq/core/Batch"
import type { Needs } from "@inlethq/core/fold/Needs"
import type { Digest } from "@inlethq/core/ports/Digest"
import { inSlices, type Slices } from "@inlethq/core/Slices"
import type { StoreUnavailable, WorkspaceDeleted } from "@inlethq/core/ports/Store"
import type { KnownContexts } from "@inlethq/storage/rows/contextRows"
import type { KnownRules } from "@inlethq/storage/KnownRules"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { Effect } from "effect"
import type { Connection } from "../engine/Connection.ts"
import type { Database } from "../engine/Database.ts"
import type { DatabaseError } from "../engine/DatabaseError.ts"
import { lockHeadAnd } from "../tables/heads.ts"
import { loadWorkingSet, readNamed, withFreed } from "../read/loadWorkingSet.ts"
import { saveDecided } from "./saveDecided.ts"

/**
 * Loads the working set of a batch, decides the outcomes of the batch, and saves the changes, all in one transaction.
 * The lock on the workspace's row in `heads` makes the batches of all nodes run one after the other. Therefore
 * positions and keys are contiguous and become visible in order.
 */
export const transactBatch = (
  database: Database["Service"],
  digest: Digest["Service"],
  known: KnownRules,
  contexts: KnownContexts,
  needs: Needs,
  decide: (state: WorkingSet) => Slices<DecidedBatch>,
): Effect.Effect<DecidedBatch, StoreUnavailable | WorkspaceDeleted> =>
  database.write("commit", needs.workspace, (connection) =>
    writeBatch(connection, digest, known, contexts, needs, decide),
  )

/** Loads the working set of a batch, decides the outcomes and saves the changes, in the caller's transaction. */
export const writeBatch = (
  connection: Connection,
  digest: Digest["Service"],
  known: KnownRules,
  contexts: KnownContexts,
  needs: Needs,
  decide: (state: WorkingSet) => Slices<DecidedBatch>,
): Effect.Effect<DecidedBatch, DatabaseError | WorkspaceDeleted> =>
  Effect.gen(function* () {
    const all = withFreed(needs, digest)
    const [head, found] = yield* lockHeadAnd(connection, needs.workspace, readNamed(connection, all))
    const state = yield* loadWorkingSet(connection, digest, all, head, known, found)
    const decided = yield* inSlices(decide(state), Effect.sync)
    yield* saveDecided(connection, decided, head.nextKey, contexts)
    return decided
  })
