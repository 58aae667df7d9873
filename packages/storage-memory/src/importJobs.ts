import { ExportFiles, type ExportFileKey } from "@inlethq/core/ports/ExportFiles"
import {
  hasEnded,
  ImportFiles,
  ImportJobs,
  importsUnfinishedMax,
  type ImportFileKey,
  type ImportId,
  type ImportJob,
} from "@inlethq/core/ports/ImportJobs"
import { WorkspaceDeleted } from "@inlethq/core/ports/Store"
import { goneText, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect, Layer, Option, Stream } from "effect"
import { MemoryState, type MemoryImport } from "./MemoryState.ts"

const nameOf = ({ id, workspace }: ImportFileKey): string => `${workspace}:${id}`

const byId = (a: ImportJob, b: ImportJob): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : a.workspace - b.workspace

/** Stores imports in memory. */
export const importJobs = Layer.effect(
  ImportJobs,
  Effect.map(MemoryState, ({ deleted, imports: jobs, islandOf }) => {
    /** Returns the imports in the order of their ids, and forgets those of deleted workspaces. */
    const all = (): ReadonlyArray<MemoryImport> => {
      for (const [name, { job }] of jobs) if (deleted.has(job.workspace)) jobs.delete(name)
      return [...jobs.values()].toSorted((a, b) => byId(a.job, b.job))
    }
    const find = (workspace: WorkspaceId, id: ImportId) =>
      all().find(({ job }) => job.workspace === workspace && job.id === id)
    return ImportJobs.of({
      add: (job) =>
        Effect.suspend(() => {
          const { workspace } = job
          if (deleted.has(workspace)) return Effect.fail(new WorkspaceDeleted({ workspace }))
          const open = all().filter((one) => one.job.workspace === workspace && !hasEnded(one.job))
          if (open.length >= importsUnfinishedMax) return Effect.succeed(false)
          jobs.set(nameOf(job), { job, errors: [] })
          return Effect.succeed(true)
        }),
      find: (workspace, id) => Effect.sync(() => Option.fromUndefinedOr(find(workspace, id)?.job)),
      list: (workspace, { after, limit, order }) =>
        Effect.sync(() => {
          const own = all().flatMap(({ job }) => (job.workspace === workspace ? [job] : []))
          const ordered = order === "asc" ? own : own.toReversed()
          const later = ordered.filter(
            ({ id }) => after === null || (order === "asc" ? id > after : id < after),
          )
          const items = later.slice(0, limit)
          return { items, next: later.length > limit ? (items.at(-1)?.id ?? null) : null }
        }),
      unfinished: (limit) =>
        Effect.sync(() =>
          all()
            .flatMap(({ job }) => (hasEnded(job) ? [] : [job]))
            .slice(0, limit),
        ),
      save: (job, errors) =>
        Effect.sync(() => {
          const known = find(job.workspace, job.id)
          if (known === undefined || known.job.version !== job.version) return false
          known.job = { ...job, version: job.version + 1 }
          const { identifiers } = islandOf(job.workspace).everything
          const isErased = (name: string) => (identifiers.get(goneText(name)) ?? 0) > job.after
          known.errors = [...known.errors, ...errors.filter(({ names }) => !names.some(isErased))]
          return true
        }),
      errors: (workspace, id, { after, limit }) =>
        Effect.sync(
          () =>
            find(workspace, id)
              ?.errors.filter(({ number }) => number > after)
              .slice(0, limit)
              .map(({ line, message, number }) => ({ line, message, number })) ?? [],
        ),
      prune: (before) =>
        Effect.sync(() => {
          for (const [name, { job }] of jobs) {
            if (hasEnded(job) && (job.endedAt ?? 0) < before) jobs.delete(name)
          }
          return true
        }),
    })
  }),
)

/** Keeps files in memory, by their names. */
const filesBy = <Key>(nameIn: (key: Key) => string) => {
  const files = new Map<string, { readonly key: Key; readonly parts: Array<Uint8Array> }>()
  return {
    save: <E>(key: Key, parts: Stream.Stream<Uint8Array, E>) =>
      Effect.suspend(() => {
        const file = { key, parts: new Array<Uint8Array>() }
        files.set(nameIn(key), file)
        return Stream.runForEach(parts, (part) => Effect.sync(() => void file.parts.push(part.slice())))
      }),
    read: (key: Key) => Stream.suspend(() => Stream.fromIterable(files.get(nameIn(key))?.parts ?? [])),
    remove: (key: Key) => Effect.sync(() => void files.delete(nameIn(key))),
    list: Effect.sync(() => [...files.values()].map(({ key }) => key)),
  }
}

export const importFiles = Layer.sync(ImportFiles, () => ImportFiles.of(filesBy<ImportFileKey>(nameOf)))

export const exportFiles = Layer.sync(ExportFiles, () =>
  ExportFiles.of(filesBy<ExportFileKey>(({ name, workspace }) => `${workspace}:${name}`)),
)
