import { Effect, Layer } from "effect"
import { LogCursors, type ClaimedCursor, type CursorKey } from "@inlet/core/ports/LogCursors"

const nameOf = ({ destination, workspace }: CursorKey): string => `${workspace}:${destination}`

/** Stores in memory how far the readers of each log have come. */
export const layer: Layer.Layer<LogCursors> = Layer.sync(LogCursors, () => {
  const cursors = new Map<string, ClaimedCursor>()
  const at = (key: CursorKey) => cursors.get(nameOf(key)) ?? { position: null, token: 0 }
  return LogCursors.of({
    position: (key) => Effect.sync(() => at(key).position),
    claim: (key) =>
      Effect.sync(() => {
        const { position, token } = at(key)
        const claimed = { position, token: token + 1 }
        cursors.set(nameOf(key), claimed)
        return claimed
      }),
    advance: (key, to, token) =>
      Effect.sync(() => {
        const before = at(key)
        if (token !== null && token !== before.token) return false
        if (to > (before.position ?? 0)) cursors.set(nameOf(key), { ...before, position: to })
        return true
      }),
  })
})
