import { Effect, Layer, Option } from "effect"
import { Snapshots } from "@inlethq/core/catalog/Snapshots"
import { personAsOf } from "@inlethq/log/history/personAsOf"
import { historyDaysDefault } from "@inlethq/core/workspace/Workspace"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { preferencesOf } from "@inlethq/core/state/storedPreferences"
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
}>

const workspaces = [1, 2].map((id) => WorkspaceId.make(id))

/** Returns the people of a workspace who exist now, in the order of their keys. A store loads them in any order. */
export const peopleOf = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const { nextKey } = yield* load({ workspace })
  const keys = Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))
  const { subjects } = yield* load({ workspace, subjects: new Set(keys) })
  return new Map(
    keys.flatMap((key) => {
      const one = subjects.get(key)
      return one?._tag === "Person" ? [[key, one] as const] : []
    }),
  )
})

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
      const people = yield* peopleOf(command.workspace.id)
      for (const { receivedAt, sequence: position } of entries) {
        past.get(command.workspace.id)?.push({ position, receivedAt, people })
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
  for (const { people, position, receivedAt } of past) {
    if (receivedAt < now - historyDaysDefault * dayMs) continue
    for (const key of keys) {
      const found = yield* personAsOf(snapshot, workspace, key, { _tag: "AtPosition", position })
      const expected = people.get(key)
      const difference = firstDifference(
        Option.match(found, { onNone: () => null, onSome: ({ person }) => comparable(person, alive) }),
        expected === undefined ? null : comparable(expected, alive),
        `person ${key} of workspace ${workspace} as of ${position}`,
      )
      if (difference !== null) return difference
    }
  }
  return null
}, Effect.scoped)

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
