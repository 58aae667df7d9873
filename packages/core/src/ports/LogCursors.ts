import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/** Identifies the cursor of one reader of a log, such as the copy of a workspace to Kafka. */
export interface CursorKey {
  readonly workspace: WorkspaceId
  /** The name of the destination to which the reader sends the log, such as `kafka`. */
  readonly destination: string
}

/** The cursor that says how far the log of a workspace was copied to Kafka. */
export const kafkaCursor = (workspace: WorkspaceId): CursorKey => ({ workspace, destination: "kafka" })

/** A cursor that a reader has claimed. */
export interface ClaimedCursor {
  /** The position of the last log entry that the reader is done with, or null if it has not read any yet. */
  readonly position: Sequence | null
  /** The fencing token, which grows with each claim of the cursor. */
  readonly token: number
}

/**
 * How far the readers of each log have come. A destination that stores rows of its own, such as the files it has
 * written, saves them and moves its cursor in one transaction, so its store uses the table of cursors too.
 */
export class LogCursors extends Context.Service<
  LogCursors,
  {
    position(key: CursorKey): Effect.Effect<Sequence | null, StoreUnavailable>
    /**
     * Takes a cursor over from its previous reader, whose token is refused from then on. Nobody can move the cursor of a
     * deleted workspace.
     */
    claim(key: CursorKey): Effect.Effect<ClaimedCursor, StoreUnavailable>
    /**
     * Moves a cursor forward. A position before the cursor changes nothing. Returns false if the token is not the newest,
     * and ignores the token if it is null. The cursor survives a crash of the process. A power failure may move it back,
     * and entries are then sent again.
     */
    advance(key: CursorKey, to: Sequence, token: number | null): Effect.Effect<boolean, StoreUnavailable>
  }
>()("@inlethq/core/ports/LogCursors") {}
