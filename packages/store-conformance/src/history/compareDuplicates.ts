import { Effect, Layer, Option } from "effect"
import type { Command } from "@inlethq/core/Command"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import type { DuplicatePage, DuplicatePair } from "@inlethq/log/history/duplicatePairs"
import { pairOperationsMax } from "@inlethq/core/log/evidenceBounds"
import { duplicatePairs } from "@inlethq/log/history/duplicates"
import type { ActivityEntry } from "@inlethq/core/log/ActivityEntry"
import { Dismissals, pairOf } from "@inlethq/core/ports/Dismissals"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Person } from "@inlethq/core/state/Person"
import { identifierText, Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { currentPersonOf } from "@inlethq/core/fold/WorkingSet"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
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

/** What an operation said about two keys when it was decided. */
interface Noted {
  readonly position: Sequence
  readonly receivedAt: number
  readonly reason: string
  readonly subject: SubjectKey
  readonly other: SubjectKey
}

const workspaces = [1, 2].map((id) => WorkspaceId.make(id))

/**
 * Plays a script on the memory store, one command at a time, and notes who lost a device to whom, and whose identifiers were
 * refused to whom. Finds both in the people before and after the command, and not in what the entry says of the other.
 */
const noteEvidence = ({ settings, steps }: Script) =>
  Effect.gen(function* () {
    yield* apply(...beginning)
    const noted = new Map(workspaces.map((workspace) => [workspace, new Array<Noted>()]))
    let now = noon
    for (const step of steps) {
      now += step.hoursLater * hour
      const command = commandOf(step, now, settings)
      const before = yield* subjectsOf(command.workspace.id)
      const { entries } = yield* apply(command)
      const after = yield* subjectsOf(command.workspace.id)
      for (const entry of entries) {
        const { receivedAt, sequence: position, subject } = entry
        if (subject === null) continue
        const said = [...lostDevices(command, before, after, subject), ...takenFrom(entry, before)]
        for (const one of said)
          noted.get(command.workspace.id)?.push({ ...one, position, receivedAt, subject })
      }
      if (step.housekeeping === "sweep both") yield* sweepAll(now)
    }
    return noted
  })

type Subjects = Effect.Success<ReturnType<typeof subjectsOf>>

const subjectsOf = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const { nextKey } = yield* load({ workspace })
  const keys = Array.from({ length: nextKey }, (_, i) => SubjectKey.make(i + 1))
  return (yield* load({ workspace, subjects: new Set(keys) })).subjects
})

const peopleIn = (subjects: Subjects): ReadonlyArray<Person> =>
  [...subjects.values()].filter((subject) => subject._tag === "Person")

const lostDevices = ({ _tag }: Command, before: Subjects, after: Subjects, subject: SubjectKey) => {
  if (_tag === "MergePeople" || _tag === "AliasPerson" || _tag === "DeleteDevice") return []
  return peopleIn(before).flatMap(({ devices, key }) => {
    const left = after.get(key)
    const hasLost = left?._tag === "Person" && [...devices.keys()].some((token) => !left.devices.has(token))
    return key !== subject && hasLost ? [{ other: key, reason: "device" }] : []
  })
}

const takenFrom = ({ kind, refused, subject }: ActivityEntry, before: Subjects) =>
  refused.flatMap(({ code, path, value }) => {
    if (code !== "taken_identifier" || typeof value !== "string") return []
    const holder = peopleIn(before).find(
      ({ anonymousIds, email, id }) =>
        (path === "id" && id === value) ||
        (path === "email" && email !== null && isSameEmail(email, value)) ||
        (path === "anonymous_id" && anonymousIds.includes(value)),
    )
    if (holder === undefined || holder.key === subject) return []
    return [{ other: holder.key, reason: kind === "merge" ? "alias" : "identifier" }]
  })

const isSameEmail = (one: string, other: string): boolean =>
  identifierText("email", one) === identifierText("email", other)

/** Returns the pairs that must be listed: of people who are there and two, at operations that are still in the log. */
const expectedPairs = Effect.fnUntraced(function* (workspace: WorkspaceId, noted: ReadonlyArray<Noted>) {
  const catalog = yield* Catalog
  const subjects = yield* subjectsOf(workspace)
  const expected = new Map<string, Set<string>>()
  for (const { other, position, reason, receivedAt, subject } of noted) {
    const one = subjects.get(subject)
    const others = subjects.get(other)
    if (one?._tag === "Attached" && receivedAt < one.since) continue
    const first = one?._tag === "Person" ? one : one && currentPersonOf(subjects, one)
    const second = others?._tag === "Person" ? others : others && currentPersonOf(subjects, others)
    if (!first || !second || first.key === second.key) continue
    const entry = yield* catalog.operation(workspace, position)
    if (Option.isNone(entry) || entry.value.isErased) continue
    const name = nameOf(first.key, second.key)
    expected.set(name, (expected.get(name) ?? new Set()).add(`${reason} at ${position}`))
  }
  return expected
})

const nameOf = (a: SubjectKey, b: SubjectKey): string => Object.values(pairOf(a, b)).join(" and ")

/** Reads all pairs in pages of one operation. */
const listedPairs = Effect.fnUntraced(function* (workspace: WorkspaceId) {
  const sources = {
    catalog: yield* Catalog,
    dismissals: yield* Dismissals,
    workspace,
  }
  const pairs: Array<DuplicatePair> = []
  let after: Sequence | null = null
  do {
    const page: DuplicatePage = yield* duplicatePairs(sources, { after, limit: 1, reason: null })
    pairs.push(...page.items)
    after = page.next
  } while (after !== null)
  return pairs
})

const divergence = <E>(store: Layer.Layer<Services | Dismissals, E>, script: Script) =>
  Effect.gen(function* () {
    const noted = yield* noteEvidence(script).pipe(inNew(memoryStore))
    return yield* Effect.gen(function* () {
      const registry = yield* Registry
      for (const id of workspaces) yield* registry.createWorkspace(defaultSettings(`workspace ${id}`, "us"))
      yield* apply(...beginning)
      const now = yield* playSteps(script, "one", noon)
      for (const workspace of workspaces) {
        const found =
          (yield* divergenceIn(workspace, noted.get(workspace) ?? [])) ??
          (yield* Effect.andThen(sweepAll(now), divergenceIn(workspace, noted.get(workspace) ?? [])))
        if (found !== null) return `workspace ${workspace}: ${found}`
      }
      return null
    }).pipe((effect) => Effect.provide(effect, store, { local: true }))
  })

const divergenceIn = Effect.fnUntraced(function* (workspace: WorkspaceId, noted: ReadonlyArray<Noted>) {
  const expected = yield* expectedPairs(workspace, noted)
  const listed = yield* listedPairs(workspace)
  const names = listed.map(({ people: [one, other] }) => nameOf(one.key, other.key))
  const difference = firstDifference(names.toSorted(), [...expected.keys()].toSorted(), "pairs")
  if (difference !== null) return difference
  for (const [index, { operations, reasons }] of listed.entries()) {
    const said = [...(expected.get(names[index] ?? "") ?? [])]
    const found = said.map((one) => one.split(" at "))
    const wrong =
      firstDifference(
        reasons.toSorted(),
        [...new Set(found.map(([reason]) => reason))].toSorted(),
        "reasons",
      ) ??
      firstDifference(
        operations.map(({ sequence }) => sequence),
        [...new Set(found.flatMap(([, position]) => (position === undefined ? [] : Number(position))))]
          .toSorted((a, b) => b - a)
          .slice(0, pairOperationsMax),
        "operations",
      )
    if (wrong !== null) return `${names[index]}: ${wrong}`
  }
  return null
})

/**
 * Checks that a pair is listed exactly if an operation in the log says that its people may be one, with these reasons and
 * operations and no others, on random scripts.
 */
export const compareDuplicates = <E>(
  store: Layer.Layer<Services | Dismissals, E>,
  comparison: Comparison,
): Effect.Effect<Compared> => compareScripts((script) => divergence(store, script), comparison)
