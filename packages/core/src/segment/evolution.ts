import type { ChangeOf } from "../Change.ts"
import { noteLinkChange, putSubject } from "../decision/updateWorkingSet.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import { patchPerson } from "../state/Person.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onSegmentCreated = (state: WorkingSet, change: ChangeOf<"SegmentCreated">): void => {
  const { at, description, key, name } = change
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
  putSubject(state, { _tag: "Segment", key, workspace: state.workspace, name, description, createdAt: at })
}

export const onSegmentJoined = (state: WorkingSet, { key, segment }: ChangeOf<"SegmentJoined">): void =>
  updateSegments(state, key, segment, (segments) =>
    segments.includes(segment) ? segments : [...segments, segment],
  )

export const onSegmentLeft = (state: WorkingSet, { key, segment }: ChangeOf<"SegmentLeft">): void =>
  updateSegments(state, key, segment, (segments) => segments.filter((other) => other !== segment))

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
