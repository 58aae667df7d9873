import type { ChangeOf } from "../fold/Change.ts"
import { changeRules, putGone } from "../decision/changeRules.ts"
import { putSubject } from "../decision/updateWorkingSet.ts"
import type { RuleBuild } from "../state/RuleBuild.ts"
import { membersOf, type NextRule, type Segment } from "../state/Segment.ts"
import { nextAfter, type SubjectKey } from "../values/Identifier.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"
import { builtSegments } from "./builtSegments.ts"

const onRuleProposed = (state: WorkingSet, { key, next }: ChangeOf<"RuleProposed">): void => {
  const segment = state.subjects.get(key)
  if (segment?._tag !== "Segment") return
  noteKeys(state, next)
  forgetMembers(state, segment)
  const proposed = { ...segment, next }
  putSubject(state, proposed)
  changeRules(state, new Map([[key, proposed]]))
}

/** Applies what happens to the rules that segments are to get. */
export const onBuildChanged = (
  state: WorkingSet,
  change: ChangeOf<
    "RuleProposed" | "BuildStarted" | "HistoryRead" | "PeopleWalked" | "PeopleFound" | "BuildFinished"
  >,
): void => {
  switch (change._tag) {
    case "RuleProposed":
      return onRuleProposed(state, change)
    case "BuildStarted":
      return onBuildStarted(state, change)
    case "HistoryRead":
      return onHistoryRead(state, change)
    case "PeopleWalked":
      return onPeopleWalked(state, change)
    case "PeopleFound":
      return onPeopleFound(state, change)
    case "BuildFinished":
      return onBuildFinished(state, change)
  }
  change satisfies never
}

const onBuildStarted = (state: WorkingSet, change: ChangeOf<"BuildStarted">): void => {
  const { at, key, leaves, readings, rules, settles, until } = change
  const { workspace } = state
  const changed = new Map<SubjectKey, Segment>()
  useKey(state, key)
  const interrupted = settles === null ? state.rules.build : null
  for (const [segmentKey, next] of rules) {
    const segment = segmentOf(state, segmentKey)
    if (segment === undefined) continue
    const { members } = next.rule
    noteKeys(state, next)
    if (segment.next?.rule.members !== members) forgetMembers(state, segment)
    putSubject(state, {
      _tag: "SegmentMembers",
      key: members,
      workspace,
      segment: segmentKey,
      isCurrent: false,
    })
    changed.set(segmentKey, { ...segment, next })
  }
  for (const segment of changed.values()) putSubject(state, segment)
  // Otherwise its end would begin all builds again.
  if (interrupted !== null) putGone(state, interrupted, state.nextSequence)
  if (settles === null) changeRules(state, changed)
  else setSettling(state, settles.object, key)
  putSubject(state, {
    _tag: "RuleBuild",
    key,
    workspace,
    startedAt: at,
    until,
    leaves,
    readings,
    readingsDone: 0,
    readTo: 0,
    peopleBefore: readings.length === 0 ? state.nextKey : null,
    walkedTo: 0,
    found: new Map(),
    settles,
  })
}

const setSettling = (state: WorkingSet, object: SubjectKey | null, settling: SubjectKey | null): void => {
  const subject = object === null ? undefined : state.subjects.get(object)
  if (subject?._tag === "DataObject") putSubject(state, { ...subject, settling })
}

const onHistoryRead = (state: WorkingSet, { ended, key, to }: ChangeOf<"HistoryRead">): void =>
  updateBuild(state, key, (build) => {
    const readingsDone = build.readingsDone + ended
    const isRead = readingsDone === build.readings.length
    return { ...build, readingsDone, readTo: to, peopleBefore: isRead ? state.nextKey : null }
  })

const onPeopleWalked = (state: WorkingSet, { key, to }: ChangeOf<"PeopleWalked">): void =>
  updateBuild(state, key, (build) => ({ ...build, walkedTo: to }))

const onPeopleFound = (state: WorkingSet, { found, key }: ChangeOf<"PeopleFound">): void =>
  updateBuild(state, key, (build) => {
    const all = new Map(build.found)
    for (const [segment, { entered, left }] of found) {
      const before = all.get(segment) ?? { entered: 0, left: 0 }
      all.set(segment, { entered: before.entered + entered, left: before.left + left })
    }
    return { ...build, found: all }
  })

const onBuildFinished = (state: WorkingSet, { at, before, key }: ChangeOf<"BuildFinished">): void => {
  const { workspace } = state
  const build = state.subjects.get(key)
  if (build?._tag === "RuleBuild" && build.settles !== null) {
    setSettling(state, build.settles.object, null)
    return putGone(state, key, before)
  }
  const changed = builtSegments(state.rules, key, { at, position: before })
  for (const segment of changed.values()) {
    const old = state.rules.definitions.get(segment.key)?.segment.rule ?? null
    const members = membersOf(segment)
    putSubject(state, {
      _tag: "SegmentMembers",
      key: members,
      workspace,
      segment: segment.key,
      isCurrent: true,
    })
    if (old !== null) putGone(state, old.members, before)
    putSubject(state, segment)
  }
  changeRules(state, changed, before)
  putGone(state, key, before)
}

const updateBuild = (state: WorkingSet, key: SubjectKey, f: (build: RuleBuild) => RuleBuild): void => {
  const build = state.subjects.get(key)
  if (build?._tag === "RuleBuild") putSubject(state, f(build))
}

/** Takes everybody out of the version that was being built, because another one takes its place. */
const forgetMembers = (state: WorkingSet, { next }: Segment): void => {
  if (next?.build != null) putGone(state, next.rule.members, state.nextSequence)
}

/** Returns a segment that the batch may not have loaded, because its rule is known. */
const segmentOf = (state: WorkingSet, key: SubjectKey): Segment | undefined => {
  const loaded = state.subjects.get(key)
  return loaded?._tag === "Segment" ? loaded : state.rules.definitions.get(key)?.segment
}

const noteKeys = (state: WorkingSet, { rule }: NextRule): void => {
  for (const leaf of rule.leaves) useKey(state, leaf)
  useKey(state, rule.members)
}

const useKey = (state: WorkingSet, key: SubjectKey): void => {
  if (key >= state.nextKey) state.nextKey = nextAfter(key)
}
