import { Effect, Layer, Option } from "effect"
import { isHidden, type ActivityRecord } from "../Activity.ts"
import { Directory } from "../Directory.ts"
import { identifierText, WorkspaceId, type SubjectKey } from "../Identifier.ts"
import { Registry } from "../Registry.ts"
import { Store } from "../Store.ts"
import { evolve } from "../Transition.ts"
import { make, type WorkingSet } from "../WorkingSet.ts"
import { eraseStep } from "./erasure.ts"
import { MemoryState } from "./MemoryState.ts"
import { activityPage, listPage, matchesPrefix, recordOf } from "./queries.ts"

const store = Layer.effect(
  Store,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { everything, log } = state
    return Store.of({
      load: (needs) =>
        Effect.sync(() => {
          const identifiers = pick(everything.identifiers, needs.identifiers)
          const subjects = pick(everything.subjects, [...needs.subjects, ...identifiers.values()])
          const claimed = new Set([...needs.deduplication].filter((key) => everything.claimed.has(key)))
          return make(everything.nextKey, everything.nextSequence, { identifiers, subjects, claimed })
        }),
      commit: ({ changes }) =>
        Effect.sync(() => {
          for (const change of changes) {
            evolve(everything, change)
            if (change._tag === "OperationRecorded") log.set(change.entry.sequence, change.entry)
          }
          forgetWritten(everything)
        }),
      probe: Effect.void,
      sweep: (now) => Effect.sync(() => eraseStep(state, now)),
    })
  }),
)

const directory = Layer.effect(
  Directory,
  Effect.gen(function* () {
    const state = yield* MemoryState
    const { everything, log } = state
    const person = (workspace: WorkspaceId, key: SubjectKey | undefined) => {
      const subject = key === undefined ? undefined : everything.subjects.get(key)
      return subject?._tag === "Person" && subject.workspace === workspace
        ? Option.some(subject)
        : Option.none()
    }
    return Directory.of({
      person: (workspace, key) => Effect.sync(() => person(workspace, key)),
      carrier: (workspace, identifier) =>
        Effect.sync(() =>
          person(
            workspace,
            everything.identifiers.get(identifierText(workspace, identifier.kind, identifier.value)),
          ),
        ),
      people: (workspace, prefix, page) =>
        Effect.sync(() => {
          const people = [...everything.subjects.values()].filter(
            (subject) =>
              subject._tag === "Person" && subject.workspace === workspace && matchesPrefix(subject, prefix),
          )
          return listPage(
            people.filter((subject) => subject._tag === "Person"),
            (one) => one.key,
            page,
          )
        }),
      activity: (workspace, filter, page) => Effect.sync(() => activityPage(state, workspace, filter, page)),
      operation: (workspace, sequence) =>
        Effect.sync((): Option.Option<ActivityRecord> => {
          const entry = log.get(sequence)
          if (entry === undefined || entry.workspace !== workspace) return Option.none()
          return Option.some(recordOf(state, entry)).pipe(Option.filter((record) => !isHidden(record)))
        }),
    })
  }),
)

const registry = Layer.effect(
  Registry,
  Effect.gen(function* () {
    const { keys, workspaces } = yield* MemoryState
    const ofWorkspace = (id: WorkspaceId) => [...keys.values()].filter((key) => key.workspace === id)
    return Registry.of({
      workspaces: Effect.sync(() => [...workspaces.values()]),
      workspace: (id) => Effect.sync(() => Option.fromUndefinedOr(workspaces.get(id))),
      createWorkspace: (settings, first = []) =>
        Effect.sync(() => {
          const workspace = { ...settings, id: WorkspaceId.make(Math.max(0, ...workspaces.keys()) + 1) }
          workspaces.set(workspace.id, workspace)
          for (const key of first) keys.set(key.keyId, { ...key, workspace: workspace.id })
          return workspace
        }),
      updateWorkspace: (workspace) => Effect.sync(() => void workspaces.set(workspace.id, workspace)),
      keys: (id) => Effect.sync(() => ofWorkspace(id)),
      addKey: (key) => Effect.sync(() => void keys.set(key.keyId, key)),
      revokeKey: (id, keyId) => Effect.sync(() => keys.get(keyId)?.workspace === id && keys.delete(keyId)),
      find: (lookup) =>
        Effect.sync(() => {
          const key = [...keys.values()].find((candidate) =>
            lookup.kind === "track"
              ? candidate.kind === "track" && candidate.siteId === lookup.siteId
              : candidate.kind === "pipelines" && candidate.digest === lookup.digest,
          )
          const workspace = key === undefined ? undefined : workspaces.get(key.workspace)
          return key === undefined || workspace === undefined
            ? Option.none()
            : Option.some({ key, workspace })
        }),
    })
  }),
)

/** Keeps everything in this process and nothing beyond it: for tests and local trials, and as the oracle of the others. */
export const layer: Layer.Layer<Store | Directory | Registry> = Layer.mergeAll(
  store,
  directory,
  registry,
).pipe(Layer.provide(MemoryState.layer))

const pick = <K, V>(from: ReadonlyMap<K, V>, keys: Iterable<K>): Map<K, V> => {
  const found = new Map<K, V>()
  for (const key of keys) {
    const value = from.get(key)
    if (value !== undefined) found.set(key, value)
  }
  return found
}

const forgetWritten = ({ written }: WorkingSet): void => {
  written.identifiers.clear()
  written.subjects.clear()
  written.entries.length = 0
}
