import type { Counted, LeafState, Ring } from "@inlet/core/state/LeafState"
import type { DuePerson } from "@inlet/core/ports/Store"
import type { SubjectKey } from "@inlet/core/values/Identifier"
import { relatedPeopleMax } from "@inlet/core/rule/ruleBounds"
import type { SliceCounter, Slices } from "@inlet/core/Slices"
import type { WorkingSet } from "@inlet/core/WorkingSet"
import { integer, integerOrNull, text } from "./columns.ts"
import { sequenceOf, subjectKey, workspaceId } from "./ids.ts"

/*
 * Rows of the table `leaf_states`: what rules remember about one person or visitor and one leaf (decision 24).
 */

export interface LeafRow {
  readonly subject: SubjectKey
  readonly leaf: SubjectKey
  readonly ring: string
  readonly due: number | null
}

/** The rows of `leaf_states` that a batch writes and deletes. */
export interface LeafRows {
  readonly saved: ReadonlyArray<LeafRow>
  readonly removed: ReadonlyArray<Pick<LeafRow, "subject" | "leaf">>
}

export function* leafRows({ leafStates, written }: WorkingSet, slice: SliceCounter): Slices<LeafRows> {
  const saved: Array<LeafRow> = []
  const removed: Array<LeafRows["removed"][number]> = []
  for (const [subject, leaves] of written.leafStates) {
    const states = leafStates.get(subject)
    if (slice.isFull(leaves.size)) yield
    for (const leaf of leaves) {
      const state = states?.get(leaf)
      if (state === undefined) removed.push({ subject, leaf })
      else saved.push({ subject, leaf, ring: ringText(state.ring), due: state.due })
    }
  }
  return { saved, removed }
}

/** Three numbers for each occurrence: its time, how much later it was received, and its position. */
const ringText = (ring: Ring): string =>
  `[${ring.map(({ at, position, receivedAt }) => `${at},${receivedAt - at},${position}`).join()}]`

const ringIn = (stored: string): Ring => {
  const numbers: ReadonlyArray<number> = JSON.parse(stored)
  const ring: Array<Counted> = []
  for (let i = 0; i + 2 < numbers.length; i += 3) {
    const at = numbers[i] ?? 0
    ring.push({ at, receivedAt: at + (numbers[i + 1] ?? 0), position: sequenceOf(numbers[i + 2] ?? 0) })
  }
  return ring
}

/** The columns of a row of `leaf_states` in the order in which `addLeafState` takes them. */
export const leafColumns = "found.subject, found.leaf, found.ring, found.due"

/** Adds a row that was read to the states of a working set. */
export const addLeafState = (
  states: Map<SubjectKey, Map<SubjectKey, LeafState>>,
  [subject, leaf, ring, due]: ReadonlyArray<unknown>,
): void => {
  const key = subjectKey(integer(subject))
  const state: LeafState = { ring: ringIn(text(ring)), due: integerOrNull(due ?? null) }
  const known = states.get(key)
  if (known === undefined) states.set(key, new Map([[subjectKey(integer(leaf)), state]]))
  else known.set(subjectKey(integer(leaf)), state)
}

/** Returns people with due leaves, each once, from rows of workspace, subject and due time in the order of these times. */
export const duePeople = (
  rows: Iterable<ReadonlyArray<unknown>>,
  limit: number,
): ReadonlyArray<DuePerson> => {
  const people = new Map<string, DuePerson>()
  for (const [workspace, subject, due] of rows) {
    const text = `${integer(workspace)} ${integer(subject)}`
    if (people.has(text)) continue
    if (people.size === limit) break
    const person = subjectKey(integer(subject))
    people.set(text, { workspace: workspaceId(integer(workspace)), person, at: integer(due) })
  }
  return [...people.values()]
}

/** The people and visitors related to the objects of a batch, and those of the objects that have more. */
export interface Related {
  readonly people: ReadonlySet<SubjectKey>
  readonly crowded: ReadonlySet<SubjectKey>
}

export const noneRelated: Related = { people: new Set(), crowded: new Set() }

/** Returns who is related to objects from rows of a person and an object, at most `relatedPeopleMax + 1` for each object. */
export const relatedIn = (rows: Iterable<ReadonlyArray<unknown>>): Related => {
  const people = new Set<SubjectKey>()
  const counts = new Map<SubjectKey, number>()
  for (const [person, target] of rows) {
    const object = subjectKey(integer(target))
    const count = (counts.get(object) ?? 0) + 1
    counts.set(object, count)
    if (count <= relatedPeopleMax) people.add(subjectKey(integer(person)))
  }
  const crowded = [...counts].filter(([, count]) => count > relatedPeopleMax).map(([object]) => object)
  return { people, crowded: new Set(crowded) }
}
