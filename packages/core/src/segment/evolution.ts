import type { ChangeOf } from "../Change.ts"
import { noteLeafState, noteLinkChange, putSubject } from "../decision/updateWorkingSet.ts"
import { withDefinition } from "../rule/definitions.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import { patchPerson } from "../state/Person.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onSegmentCreated = (state: WorkingSet, change: ChangeOf<"SegmentCreated">): void => {
  const { at, description, key, name } = change
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  const { workspace } = state
  putSubject(state, { _tag: "Segment", key, workspace, name, description, rule: null, createdAt: at })
}

export const onRuleAssigned = (state: WorkingSet, { key, rule }: ChangeOf<"RuleAssigned">): void => {
  const segment = state.subjects.get(key)
  if (segment?._tag !== "Segment") return
  for (const leaf of rule.leaves) if (leaf >= state.nextKey) state.nextKey = nextAfter(leaf)
  const ruled = { ...segment, rule }
  putSubject(state, ruled)
  state.rules = withDefinition(state.rules, ruled)
  state.rulesVersion++
}

export const onLeafStatesSet = (state: WorkingSet, { key, states }: ChangeOf<"LeafStatesSet">): void => {
  state.leafStates.set(key, new Map([...(state.leafStates.get(key) ?? []), ...states]))
  for (const leaf of states.keys()) noteLeafState(state, key, leaf)
}

export const onLeafStatesRemoved = (state: WorkingSet, { key }: ChangeOf<"LeafStatesRemoved">): void => {
  for (const leaf of state.leafStates.get(key)?.keys() ?? []) noteLeafState(state, key, leaf)
  state.leafStates.delete(key)
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
