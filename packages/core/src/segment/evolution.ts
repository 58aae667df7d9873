import type { ChangeOf } from "../fold/Change.ts"
import { noteLeafStates, noteLinkChange, putSubject } from "../decision/updateWorkingSet.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import { patchPerson } from "../state/Person.ts"
import type { LeafState, LeafStates } from "../state/LeafState.ts"
import { hasRule } from "../state/Segment.ts"
import { changeRules } from "../decision/changeRules.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onSegmentCreated = (state: WorkingSet, change: ChangeOf<"SegmentCreated">): void => {
  const { at, description, key, name } = change
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  const { workspace } = state
  putSubject(state, {
    _tag: "Segment",
    key,
    workspace,
    name,
    description,
    rule: null,
    next: null,
    paused: false,
    silentBuild: null,
    createdAt: at,
  })
}

export const onSegmentUpdated = (
  state: WorkingSet,
  { description, key, name, paused }: ChangeOf<"SegmentUpdated">,
): void => {
  const segment = state.subjects.get(key)
  if (segment?._tag !== "Segment") return
  const updated = { ...segment, name, description, paused }
  putSubject(state, updated)
  if (hasRule(updated)) changeRules(state, new Map([[key, updated]]))
}

export const onLeafStatesChanged = (
  state: WorkingSet,
  change: ChangeOf<"LeafStatesSet" | "LeafStatesRemoved">,
): void => {
  const { key } = change
  const before = state.leafStates.get(key)
  noteLeafStates(state, key, before)
  if (change._tag === "LeafStatesRemoved") state.leafStates.delete(key)
  else state.leafStates.set(key, before === undefined ? change.states : replaced(before, change.states))
}

/** Returns states with some of them replaced. Copies nothing if all are, as mostly when a single ring counts an event. */
const replaced = (before: LeafStates, states: LeafStates): LeafStates => {
  let all: Map<SubjectKey, LeafState> | undefined
  before.forEach((one, leaf) => {
    if (!states.has(leaf)) (all ??= new Map(states)).set(leaf, one)
  })
  return all ?? states
}

export const onSegmentJoined = (
  state: WorkingSet,
  { key, segment }: ChangeOf<"SegmentJoined" | "SegmentEntered">,
): void =>
  updateSegments(state, key, segment, (segments) =>
    segments.includes(segment) ? segments : [...segments, segment],
  )

export const onSegmentLeft = (
  state: WorkingSet,
  { key, segment }: ChangeOf<"SegmentLeft" | "SegmentExited">,
): void => updateSegments(state, key, segment, (segments) => segments.filter((other) => other !== segment))

const updateSegments = (
  state: WorkingSet,
  key: SubjectKey,
  segment: SubjectKey,
  f: (segments: ReadonlyArray<SubjectKey>) => ReadonlyArray<SubjectKey>,
): void => {
  const person = state.subjects.get(key)
  if (person?._tag !== "Person") return
  putSubject(state, patchPerson(person, { segments: f(person.segments) }))
  noteLinkChange(state, key, segment)
}
