import { Context, type Effect } from "effect"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"
import type { StoreUnavailable } from "./Store.ts"

/** The progress of copying the activity log of each workspace to Kafka. */
export class KafkaCursors extends Context.Service<
  KafkaCursors,
  {
    /**
     * Returns the position of the last log entry that was copied from a workspace to Kafka, or null if no entry of the
     * workspace was copied yet.
     */
    position(workspace: WorkspaceId): Effect.Effect<Sequence | null, StoreUnavailable>
    /**
     * Moves the cursor of a workspace forward. A position before the cursor changes nothing, so a late call by another
     * node does no harm. The cursor survives a crash of the process. A power failure may move it back, and entries are
     * then sent again.
     */
    advance(workspace: WorkspaceId, sequence: Sequence): Effect.Effect<void, StoreUnavailable>
  }
>()("@inlet/core/ports/KafkaCursors") {}
