import { Catalog, type Ownership } from "@inlethq/core/catalog/Catalog"
import type { LakeFile } from "@inlethq/core/ports/LakeFiles"
import { SubjectKey, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { ownerStates } from "@inlethq/lake/columns"
import type { LakeTarget } from "@inlethq/lake/targets/LakeTarget"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import type { StoredOwners } from "@inlethq/lake/thread/Request"
import { Effect } from "effect"

/** The most subjects whose owners are looked up at once. */
const comparedAtOnce = 1000

/** A subject that belongs to somebody else according to the files of a lake. */
export interface WrongOwner {
  readonly subject: SubjectKey
  /** The position of the row that says it, and what it says. */
  readonly position: number
  readonly stored: Ownership
  /** To whom it belongs now, or null if it was deleted, and its rows are not hidden. */
  readonly now: Ownership | null
}

/**
 * Compares to whom subjects belong in the files of a lake and now, from one subject on. `next` is the subject with which the next
 * call goes on, or null. A change that the files have not come to is a difference too.
 */
export const wrongOwners = Effect.fnUntraced(function* (
  workspace: WorkspaceId,
  target: LakeTarget,
  files: ReadonlyArray<LakeFile>,
  from: number,
) {
  const local = (table: LakeFile["table"]) =>
    Effect.forEach(
      files.filter((file) => file.table === table),
      ({ path }) => target.local(path),
    )
  const paths = { subjects: yield* local("subjects"), erased: yield* local("erased") }
  const found = yield* LakeThread.use(({ ask }) => ask("owners", { ...paths, from }))
  const wrong: Array<WrongOwner> = []
  let keys = new Set<SubjectKey>()
  const compare = Effect.gen(function* () {
    const now = yield* Catalog.use((catalog) => catalog.ownersAmong(workspace, keys))
    for (const key of keys) {
      const one = differenceOf(found, key, now.get(key))
      if (one !== null) wrong.push(one)
    }
    keys = new Set()
  })
  for (const [place, state] of found.states.entries()) {
    if (state !== ownerStates.none) keys.add(SubjectKey.make(from + place))
    if (keys.size >= comparedAtOnce) yield* compare
  }
  if (keys.size > 0) yield* compare
  return { wrong, next: found.next }
}, Effect.scoped)

const differenceOf = (
  { from, hidden, owners, positions, since, states }: StoredOwners,
  subject: SubjectKey,
  now: Ownership | undefined,
): WrongOwner | null => {
  const place = subject - from
  const position = positions[place] ?? 0
  const state = states[place]
  const isAttached = state === ownerStates.attached
  const owner = owners[place] ?? 0
  const stored = {
    owner: owner === 0 ? null : SubjectKey.make(owner),
    since: isAttached ? (since[place] ?? 0) : null,
  }
  if (now === undefined) {
    // Of an anonymous visitor who is past their days, the rows stay until some file is rewritten.
    const mayStay = state === ownerStates.visitor || state === ownerStates.object
    return mayStay || hidden[place] === 1 ? null : { subject, position, stored, now: null }
  }
  if (now.owner === stored.owner && now.since === stored.since) return null
  return { subject, position, stored, now }
}
