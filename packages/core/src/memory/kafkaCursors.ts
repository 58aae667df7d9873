import { Effect, Layer } from "effect"
import { KafkaCursors } from "../ports/KafkaCursors.ts"
import type { Sequence, WorkspaceId } from "../values/Identifier.ts"

/** Stores the cursors of copies to Kafka in memory. */
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
