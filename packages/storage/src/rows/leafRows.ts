import type { Counted, LeafState, LeafStates, Ring } from "@inlethq/core/state/LeafState"
import type { DuePerson } from "@inlethq/core/ports/Store"
import type { SubjectKey } from "@inlethq/core/values/Identifier"
import { relatedPeopleMax } from "@inlethq/core/rule/ruleBounds"
import type { SliceCounter, Slices } from "@inlethq/core/Slices"
import type { WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { integer, integerOrNull, text } from "../columns/columns.ts"
import { sequenceOf, subjectKey, workspaceId } from "../columns/ids.ts"

/*
 * Rows of the table `leaf_states`: what rules remember about one person or visitor and one leaf (decision 24).
 */

export interface LeafRow {
  readonly subject: SubjectKey
  readonly leaf: SubjectKey
  readonly ring: string
  readonly due: number | null
  /** Whether the row was read, and only its ring differs. */
  readonly hasSameDue: boolean
}

/** The rows of `leaf_states` that a batch writes and deletes. */
export interface LeafRows {
  readonly saved: ReadonlyArray<LeafRow>
  readonly removed: ReadonlyArray<Pick<LeafRow, "subject" | "leaf">>
}

export function* leafRows({ leafStates, written }: WorkingSet, slice: SliceCounter): Slices<LeafRows> {
  const rows = { saved: new Array<LeafRow>(), removed: new Array<LeafRows["removed"][number]>() }
  for (const [subject, before] of written.leafStates) {
    const states = leafStates.get(subject)
    if (slice.isFull((before?.size ?? 0) + (states?.size ?? 0))) yield
    addRows(rows, subject, before, states)
  }
  return rows
}

/** Adds the rows of a person or visitor. Most have one, so it makes no iterators. */
const addRows = (
  {
    removed,
    saved,
  }: { readonly saved: Array<LeafRow>; readonly removed: Array<LeafRows["removed"][number]> },
  subject: SubjectKey,
  before: LeafStates | undefined,
  states: LeafStates | undefined,
): void => {
  states?.forEach((state, leaf) => {
    const was = before?.get(leaf)
    if (was === state) return
    const { due, ring } = state
    saved.push({ subject, leaf, ring: ringText(ring), due, hasSameDue: was?.due === due })
  })
  before?.forEach((_, leaf) => {
    if (states?.has(leaf) !== true) removed.push({ subject, leaf })
  })
}

/** Three numbers for each occurrence: its time, how much later it was received, and its position. */
const ringText = (ring: Ring): string => {
  const numbers: Array<number> = []
  for (const { at, position, receivedAt } of ring) numbers.push(at, receivedAt - at, position)
  return JSON.stringify(numbers)
}

/** A state with a ring that is decoded only when it is needed, which is seldom for whom a batch only identifies. */
class StoredLeafState implements LeafState {
  readonly due: number | null
  private readonly text: string
  private decoded: Ring | undefined

  constructor(text: string, due: number | null) {
    this.text = text
    this.due = due
  }

  get ring(): Ring {
    return (this.decoded ??= ringIn(this.text))
  }
}

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
  row: Readonly<Record<number, unknown>>,
): void => {
  const key = subjectKey(integer(row[0]))
  const leaf = subjectKey(integer(row[1]))
  const state = new StoredLeafState(text(row[2]), integerOrNull(row[3] ?? null))
  const known = states.get(key)
  if (known === undefined) states.set(key, new Map([[leaf, state]]))
  else known.set(leaf, state)
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
