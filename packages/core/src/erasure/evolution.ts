import type { ChangeOf } from "../fold/Change.ts"
import { noteErased, putErased, putSubject, releaseSuppression } from "../decision/updateWorkingSet.ts"
import type { WorkingSet } from "../fold/WorkingSet.ts"

export const onErasureChanged = (
  state: WorkingSet,
  change: ChangeOf<"IdentifiersErased" | "ErasureRecorded" | "ErasureRepeated">,
): void => {
  switch (change._tag) {
    case "IdentifiersErased":
      return noteErased(state, change.identifiers, change.before)
    case "ErasureRecorded":
      return note(state, change)
    case "ErasureRepeated":
      note(state, change)
      return repeat(state, change)
  }
  change satisfies never
}

const note = (state: WorkingSet, change: ChangeOf<"ErasureRecorded" | "ErasureRepeated">): void => {
  const { record, subjects } = change
  const isRepeated = change._tag === "ErasureRepeated"
  state.written.erasures.push({ record, subjects, named: isRepeated ? [] : change.named, isRepeated })
  if (record.action === "unsuppress") return
  const { at, position } = record
  for (const key of subjects) {
    const subject = state.subjects.get(key)
    const isCounted = subject?._tag === "Erased" && subject.record === undefined
    if (isCounted) putSubject(state, { ...subject, record: { at, position } })
  }
}

const repeat = (state: WorkingSet, { before, record, subjects }: ChangeOf<"ErasureRepeated">): void => {
  const { workspace } = state
  const [key] = subjects
  // The keys that the record names are not given to other people, although the restored data never had some of them.
  if (record.nextKey > state.nextKey) state.nextKey = record.nextKey
  switch (record.action) {
    case "delete":
      break
    case "suppress":
      state.suppressedGroups.add(key)
      for (const digest of record.identifiers) state.written.suppressedDigests.set(digest, key)
      break
    case "unsuppress":
      return releaseSuppression(state, key)
  }
  const { at, position } = record
  const found = state.subjects.get(key)
  const known = found?._tag === "Erased" ? found.addresses : []
  const addresses = [...new Set([...known, ...record.addresses])]
  if ((found === undefined || found._tag === "Erased") && addresses.length > known.length) {
    putErased(state, { _tag: "Erased", key, workspace, before, addresses, record: { at, position } })
  }
}
