import { Effect, Layer, Option } from "effect"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import type { Snapshot } from "@inlethq/core/catalog/Snapshots"
import { objectAsOf } from "@inlethq/log/history/objectAsOf"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
import type { Attributes } from "@inlethq/core/state/Attributes"
import type { DataObject } from "@inlethq/core/state/DataObject"
import { isMergedPerson, type Person } from "@inlethq/core/state/Person"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { noon } from "../script/commands.ts"
import {
  compareScripts,
  inNew,
  memoryStore,
  playSteps,
  type Compared,
  type Comparison,
  type Services,
} from "../differential/differential.ts"
import { firstDifference } from "../script/firstDifference.ts"
import { apply, load, sweepAll } from "../script/scenario.ts"
import { beginning, commandOf, hour, type Script } from "../script/script.ts"

/** The people of a workspace after each entry, as the memory store had them, and the receipt time of the entry. */
type Past = ReadonlyArray<{
  readonly position: Sequence
  readonly receivedAt: number
  readonly people: ReadonlyMap<SubjectKey, Person>
  readonly objects: ReadonlyMap<SubjectKey, DataObject>
}>

const workspaces = [1, 2].map((id) => WorkspaceId.make(id))

/** Returns the people and objects of a workspace that exist now, in the order of their keys. A store loads them in any order. */
const subjectsOf = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const { nextKey } = yield* load({ workspace })
  const keys = Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))
  const { subjects } = yield* load({ workspace, subjects: new Set(keys) })
  const people = new Map<SubjectKey, Person>()
  const objects = new Map<SubjectKey, DataObject>()
  for (const key of keys) {
    const one = subjects.get(key)
    if (one?._tag === "Person") people.set(key, one)
    if (one?._tag === "DataObject") objects.set(key, one)
  }
  return { people, objects }
})

export const peopleOf = (workspace: WorkspaceId) => Effect.map(subjectsOf(workspace), ({ people }) => people)

/** Plays a script on the memory store, one command at a time, and returns the people after each. */
const playPast = ({ settings, steps }: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    let now = noon
    const past = new Map(workspaces.map((workspace) => [workspace, new Array<Past[number]>()]))
    for (const step of steps) {
      now += step.hoursLater * hour
      const command = commandOf(step, now, settings)
      const { entries } = yield* apply(command)
      // Housekeeping frees the deduplication keys of pruned entries, so both stores must run it at the same time.
      if (step.housekeeping === "sweep both") yield* sweepAll(now)
      const found = yield* subjectsOf(command.workspace.id)
      for (const { receivedAt, sequence: position } of entries) {
        past.get(command.workspace.id)?.push({ position, receivedAt, ...found })
      }
    }
    return past
  })

/**
 * Compares what a store shows of people as of every log position with what the memory store had there. Plays a script
 * with the batches and the housekeeping of one of two stores.
 */
const divergence = <E>(store: Layer.Layer<Services | Snapshots, E>, script: Script) =>
  Effect.gen(function* () {
    const past = yield* playPast(script).pipe(inNew(memoryStore))
    return yield* Effect.gen(function* () {
      yield* apply(...beginning)
      const now = yield* playSteps(script, "one", noon)
      for (const workspace of workspaces) {
        const found = yield* divergenceIn(workspace, past.get(workspace) ?? [], now)
        if (found !== null) return found
      }
      return null
    }).pipe((effect) => Effect.provide(effect, store, { local: true }))
  })

const divergenceIn = Effect.fnUntraced(function* (workspace: WorkspaceId, past: Past, now: number) {
  const snapshot = yield* (yield* Snapshots).open(workspace)
  const today = yield* peopleOf(workspace)
  const alive = yield* aliveIn(workspace)
  const keys = [...today].flatMap(([key, { attached }]) => [
    key,
    ...attached.filter(isMergedPerson).map((one) => one.key),
  ])
  for (const then of past) {
    const { objects, people, position, receivedAt } = then
    if (receivedAt < now - historyDaysDefault * dayMs) continue
    for (const key of keys) {
      const found = yield* personAsOf(snapshot, workspace, key, { _tag: "AtPosition", position })
      const expected = people.get(key)
      const difference = firstDifference(
        Option.match(found, {
          onNone: () => null,
          onSome: ({ person, relationships }) => ({
            ...comparable(person, alive),
            relationships: new Map(relationships.map((one) => [one.object.key, one.attributes])),
          }),
        }),
        expected === undefined
          ? null
          : { ...comparable(expected, alive), relationships: existing(expected, objects) },
        `person ${key} of workspace ${workspace} as of ${position}`,
      )
      if (difference !== null) return difference
    }
    const difference = yield* objectsDifference(snapshot, workspace, then, new Set(keys))
    if (difference !== null) return difference
  }
  return null
}, Effect.scoped)

/** Returns the relationships of a person to objects that exist. */
const existing = ({ relationships }: Person, objects: ReadonlyMap<SubjectKey, DataObject>) =>
  new Map([...relationships].filter(([key]) => objects.has(key)))

/** The types and ids of the objects in scripts. */
const namedObjects = [
  { typeId: "1", objectId: "object 1" },
  { typeId: "1", objectId: "object 2" },
  { typeId: "2", objectId: "object 3" },
]

/** Compares the objects as of a log position with those that the memory store had there, and the people of `keys` who were related to them. */
const objectsDifference = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  workspace: WorkspaceId,
  { objects, people, position }: Past[number],
  keys: ReadonlySet<SubjectKey>,
) {
  for (const named of namedObjects) {
    const found = yield* objectAsOf(snapshot, workspace, named, { _tag: "AtPosition", position })
    const expected = [...objects.values()].find(
      ({ objectId, typeId }) => objectId === named.objectId && typeId === named.typeId,
    )
    const related = [...people.values()].flatMap(({ key, relationships }) => {
      const attributes = expected && relationships.get(expected.key)
      return attributes !== undefined && keys.has(key) ? [[key, attributes] as const] : []
    })
    const difference = firstDifference(
      Option.match(found, {
        onNone: () => null,
        onSome: ({ object, people }) => ({ ...object, settling: null, people: people && inOrder(people) }),
      }),
      expected === undefined ? null : { ...expected, settling: null, people: inOrder(related) },
      `object ${named.objectId} of workspace ${workspace} as of ${position}`,
    )
    if (difference !== null) return difference
  }
  return null
})

const inOrder = (people: Iterable<readonly [SubjectKey, Attributes]>) =>
  new Map([...people].toSorted(([a], [b]) => a - b))

/** Returns the objects and segments that exist. Nothing shows what people had of the others. */
export const aliveIn = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const { nextKey } = yield* load({ workspace })
  const keys = Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))
  const { subjects } = yield* load({ workspace, subjects: new Set(keys) })
  return new Set(
    [...subjects].flatMap(([key, { _tag }]) => (_tag === "DataObject" || _tag === "Segment" ? [key] : [])),
  )
})

/** The document of a person without what has no meaning: the order of lists, and links to what is deleted. */
export const comparable = (person: Person, alive: ReadonlySet<SubjectKey>) => ({
  key: person.key,
  id: person.id,
  email: person.email,
  idAt: person.idAt,
  emailAt: person.emailAt,
  anonymousIds: person.anonymousIds.toSorted(),
  attributes: person.attributes,
  preferences: preferencesOf(person.attributes),
  devices: person.devices,
  relationships: new Map([...person.relationships].filter(([key]) => alive.has(key))),
  segments: person.segments.filter((key) => alive.has(key)).toSorted((a, b) => a - b),
  attached: person.attached.toSorted((a, b) => a.key - b.key),
  createdAt: person.createdAt,
  updatedAt: person.updatedAt,
})

/**
 * Checks that walking the entries of people backwards gives what the memory store had at every log position, on random
 * scripts.
 */
export const compareHistory = <E>(
  store: Layer.Layer<Services | Snapshots, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => divergence(store, script), comparison)
