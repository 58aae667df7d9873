import type { ChangeOf } from "../Change.ts"
import { touchLink, write } from "../decision/workingSetWrites.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import { changed } from "../state/Person.ts"
import type { WorkingSet } from "../WorkingSet.ts"

export const onSegmentCreated = (seen: WorkingSet, change: ChangeOf<"SegmentCreated">): void => {
  const { at, description, key, name, workspace } = change
  if (key >= seen.nextKey) seen.nextKey = nextAfter(key)
  write(seen, { _tag: "Segment", key, workspace, name, description, createdAt: at })
}

export const onJoined = (seen: WorkingSet, { key, segment }: ChangeOf<"SegmentJoined">): void =>
  onSegments(seen, key, segment, (segments) =>
    segments.includes(segment) ? segments : [...segments, segment],
  )

export const onLeft = (seen: WorkingSet, { key, segment }: ChangeOf<"SegmentLeft">): void =>
  onSegments(seen, key, segment, (segments) => segments.filter((other) => other !== segment))

const onSegments = (
  seen: WorkingSet,
  key: SubjectKey,
  segment: SubjectKey,
  f: (segments: ReadonlyArray<SubjectKey>) => ReadonlyArray<SubjectKey>,
): void => {
  const person = seen.subjects.get(key)
  if (person?._tag !== "Person") return
  write(seen, changed(person, { segments: f(person.segments) }))
  touchLink(seen, key, segment)
}
