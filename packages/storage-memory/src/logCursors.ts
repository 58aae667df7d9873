import { Effect, Layer } from "effect"
import type { Digest } from "@inlethq/core/ports/Digest"
import {
  lakeCursor,
  lakeErasuresMax,
  LakeFiles,
  lakeRewritesMax,
  type LakeCommit,
  type LakeRewrite,
} from "@inlethq/core/ports/LakeFiles"
import { LogCursors, type CursorKey } from "@inlethq/core/ports/LogCursors"
import { LogSummaries } from "@inlethq/core/ports/LogSummaries"
import { Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { advance, cursorOf, nameOf, type Cursors } from "./cursors.ts"
import { logSummaries } from "./logSummaries.ts"
import { MemoryState, type MemoryLake } from "./MemoryState.ts"

/** Stores in memory how far the readers of each log have come, the files of each lake, and what logs have in common. */
export const layer: Layer.Layer<LogCursors | LakeFiles | LogSummaries, never, Digest> = Layer.mergeAll(
  Layer.effect(
    LogCursors,
    MemoryState.useSync(({ cursors }) => logCursors(cursors)),
  ),
  Layer.effect(
    LakeFiles,
    MemoryState.useSync((state) => lakeFiles(state)),
  ),
  Layer.effect(
    LogSummaries,
    MemoryState.useSync((state) => logSummaries(state)),
  ),
).pipe(Layer.provide(MemoryState.layer))

const logCursors = (cursors: Cursors): LogCursors["Service"] => ({
  position: (key) => Effect.sync(() => cursorOf(cursors, key).position),
  claim: (key) =>
    Effect.sync(() => {
      const { position, token } = cursorOf(cursors, key)
      const claimed = { position, token: token + 1 }
      cursors.set(nameOf(key), claimed)
      return claimed
    }),
  advance: (key, to, token) => Effect.sync(() => advance(cursors, key, to, token)),
})

const everyPosition = { from: 0, to: Number.MAX_SAFE_INTEGER }

const lakeFiles = ({ cursors, lakes }: MemoryState["Service"]): LakeFiles["Service"] => {
  const lakeOf = (workspace: WorkspaceId) => {
    const lake = lakes.get(workspace) ?? {
      files: new Map(),
      replaced: new Map(),
      erasures: new Map(),
      rewrites: new Map(),
    }
    lakes.set(workspace, lake)
    return lake
  }
  return {
    files: (workspace) =>
      Effect.sync(() =>
        [...lakeOf(workspace).files.values()].toSorted((a, b) =>
          a.table < b.table ? -1 : a.table > b.table ? 1 : a.from - b.from,
        ),
      ),
    replaced: (workspace) =>
      Effect.sync(() =>
        [...lakeOf(workspace).replaced.values()].toSorted(
          (a, b) => a.replacedAt - b.replacedAt || (a.path < b.path ? -1 : 1),
        ),
      ),
    forget: (workspace, paths) =>
      Effect.sync(() => {
        for (const path of paths) lakeOf(workspace).replaced.delete(path)
      }),
    erasures: (workspace, { from, to } = everyPosition) =>
      Effect.sync(() =>
        [...lakeOf(workspace).erasures.values()]
          .filter(({ position }) => position >= from && position <= to)
          .toSorted((a, b) => a.position - b.position)
          .slice(0, lakeErasuresMax),
      ),
    rewrites: (workspace, position) =>
      Effect.sync(() =>
        [...(lakeOf(workspace).rewrites.get(position)?.values() ?? [])]
          .toSorted((a, b) => (a.path < b.path ? -1 : 1))
          .slice(0, lakeRewritesMax),
      ),
    hasten: (workspace) =>
      Effect.sync(() => {
        const { erasures } = lakeOf(workspace)
        for (const [position, erasure] of erasures) erasures.set(position, { ...erasure, receivedAt: 0 })
      }),
    commit: (commit) =>
      Effect.sync(() => {
        const { to, token, workspace } = commit
        if (!advance(cursors, lakeCursor(workspace), to, token)) return false
        save(lakeOf(workspace), commit)
        return true
      }),
  }
}

/** Moves a cursor behind the newest entry of its log. */
export const moveToEnd = ({ cursors, islandOf }: MemoryState["Service"], key: CursorKey): void => {
  const newest = islandOf(key.workspace).everything.nextSequence - 1
  if (newest > 0) advance(cursors, key, Sequence.make(newest), null)
}

/** Forgets every file of a lake, and moves its cursor back to the beginning. */
export const clearLake = ({ cursors, lakes }: MemoryState["Service"], workspace: WorkspaceId): void => {
  lakes.delete(workspace)
  const { token } = cursorOf(cursors, lakeCursor(workspace))
  if (token > 0)
    cursors.set(nameOf(lakeCursor(workspace)), { position: null, token: token + 1, cleared: true })
}

const save = (lake: MemoryLake, { added, followed, noticed, now, replaced, rewritten }: LakeCommit): void => {
  for (const file of added) lake.files.set(file.path, file)
  for (const path of replaced) {
    if (lake.files.delete(path)) lake.replaced.set(path, { path, replacedAt: now })
  }
  for (const erasure of noticed) lake.erasures.set(erasure.position, erasure)
  for (const position of followed) lake.erasures.delete(position)
  for (const { position, rewrite } of rewritten) {
    const known = lake.rewrites.get(position) ?? new Map<string, LakeRewrite>()
    if (!known.has(rewrite.path)) known.set(rewrite.path, rewrite)
    lake.rewrites.set(position, known)
  }
}
