import { ChangedMeanwhile } from "@inlethq/core/ports/ChangedMeanwhile"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import type { Statements } from "./Tables.ts"

/** Lets nobody else change the settings of a workspace, or add what is counted in it, before the transaction ends. */
export const lockWorkspace = <E>(ask: Statements<E>, workspace: WorkspaceId): Effect.Effect<void, E> =>
  Effect.asVoid(ask.rows(`SELECT id FROM workspaces WHERE id = $1 ${ask.forUpdate}`, workspace))

/** Fails unless the settings could be changed. */
export const orChangedMeanwhile = (isChanged: boolean): Effect.Effect<void, ChangedMeanwhile> =>
  isChanged ? Effect.void : Effect.fail(new ChangedMeanwhile())
