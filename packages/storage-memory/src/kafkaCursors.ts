import { Effect, Layer } from "effect"
import { KafkaCursors } from "@inlet/core/ports/KafkaCursors"
import type { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"

/** Stores in memory how far the log of each workspace has been copied to Kafka. */
export const layer: Layer.Layer<KafkaCursors> = Layer.sync(KafkaCursors, () => {
  const cursors = new Map<WorkspaceId, Sequence>()
  return KafkaCursors.of({
    position: (workspace) => Effect.sync(() => cursors.get(workspace) ?? null),
    advance: (workspace, sequence) =>
      Effect.sync(() => {
        if (sequence > (cursors.get(workspace) ?? 0)) cursors.set(workspace, sequence)
      }),
  })
})
