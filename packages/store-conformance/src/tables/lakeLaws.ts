import { Catalog, type Ownership } from "@inlethq/core/catalog/Catalog"
import { mergeIn } from "@inlethq/core/person/mergeReceipt"
import { eventMergeWindowMs } from "@inlethq/core/log/ActivityEntry"
import { ErasureLedger, unsealedMax } from "@inlethq/core/ports/ErasureLedger"
import { lakeCursor, LakeFiles, type LakeCommit, type LakeFile } from "@inlethq/core/ports/LakeFiles"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Store } from "@inlethq/core/ports/Store"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import {
  byAnonymousId,
  byId,
  event,
  first,
  identify,
  identifyObject,
  merge,
  noon,
  objectOf,
  remove,
  unmerge,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, moveLake, sweepAll } from "../script/scenario.ts"

const at = (sequence: number) => Sequence.make(sequence)
const workspace = WorkspaceId.make(1)
const other = WorkspaceId.make(2)

/** Returns a file of a lake that covers a range of positions. */
export const lakeFile = (from: number, to: number, fields: Partial<LakeFile> = {}): LakeFile => ({
  table: "activity",
  path: `lake/1/activity/day=2026-01-01/${from}-${to}.g1.parquet`,
  from: at(from),
  to: at(to),
  generation: 1,
  rows: to - from + 1,
  erased: 0,
  pruned: 0,
  bytes: 100,
  sha256: "00",
  ...fields,
})

const commitOf = (fields: Partial<LakeCommit>): LakeCommit => ({
  workspace,
  token: 1,
  now: noon,
  added: [],
  replaced: [],
  to: null,
  noticed: [],
  followed: [],
  rewritten: [],
  ...fields,
})

const one = lakeFile(1, 4)
const two = lakeFile(5, 9)

export const lakeLaws: ReadonlyArray<
  Law<ErasureLedger | LakeFiles | LogCursors | Store | Catalog | Registry>
> = [
  {
    name: "a commit of the lake saves its files and moves its cursor",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const cursors = yield* LogCursors
      const { token } = yield* cursors.claim(lakeCursor(workspace))
      yield* expectSame(
        "the first commit",
        yield* lake.commit(commitOf({ token, added: [one], to: at(4) })),
        true,
      )
      yield* expectSame("the second", yield* lake.commit(commitOf({ token, added: [two], to: at(9) })), true)
      yield* expectSame("the files", yield* lake.files(workspace), [one, two])
      yield* expectSame("the cursor", yield* cursors.position(lakeCursor(workspace)), at(9))
      yield* expectSame("the files of another workspace", yield* lake.files(other), [])
    }),
  },
  {
    name: "a commit of the lake with an earlier token changes nothing",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const cursors = yield* LogCursors
      const { token } = yield* cursors.claim(lakeCursor(workspace))
      yield* lake.commit(commitOf({ token, added: [one], to: at(4) }))
      yield* cursors.claim(lakeCursor(workspace))
      const noticed = [{ position: at(6), subject: SubjectKey.make(3), receivedAt: noon }]
      const late = commitOf({ token, added: [two], replaced: [one.path], to: at(9), noticed })
      yield* expectSame("the late commit", yield* lake.commit(late), false)
      yield* expectSame("the files", yield* lake.files(workspace), [one])
      yield* expectSame("the erasures", yield* lake.erasures(workspace), [])
      yield* expectSame("the cursor", yield* cursors.position(lakeCursor(workspace)), at(4))
    }),
  },
  {
    name: "replaced files of the lake are kept apart until they are forgotten",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(workspace))
      yield* lake.commit(commitOf({ token, added: [one, two], to: at(9) }))
      const joined = lakeFile(1, 9, { generation: 2 })
      const replaced = [one.path, two.path]
      yield* lake.commit(commitOf({ token, added: [joined], replaced, now: noon + 5 }))
      yield* expectSame("the files", yield* lake.files(workspace), [joined])
      yield* expectSame(
        "the replaced files",
        yield* lake.replaced(workspace),
        replaced.map((path) => ({ path, replacedAt: noon + 5 })),
      )
      yield* lake.forget(workspace, [one.path, joined.path])
      yield* expectSame("the rest", yield* lake.replaced(workspace), [
        { path: two.path, replacedAt: noon + 5 },
      ])
      yield* expectSame("the current files", yield* lake.files(workspace), [joined])
    }),
  },
  {
    name: "erasures of the lake wait, once each, until every file has followed them",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(workspace))
      const erasure = (position: number) => ({
        position: at(position),
        subject: SubjectKey.make(position),
        receivedAt: noon,
      })
      yield* lake.commit(commitOf({ token, noticed: [erasure(8), erasure(2)] }))
      yield* lake.commit(commitOf({ token, noticed: [erasure(8)] }))
      yield* expectSame("what waits", yield* lake.erasures(workspace), [erasure(2), erasure(8)])
      yield* lake.commit(commitOf({ token, followed: [at(2)] }))
      yield* expectSame("what still waits", yield* lake.erasures(workspace), [erasure(8)])
      yield* lake.hasten(workspace)
      yield* expectSame(
        "what waits of some positions",
        yield* lake.erasures(workspace, { from: 3, to: 7 }),
        [],
      )
      yield* expectSame("what is due now", yield* lake.erasures(workspace), [
        { ...erasure(8), receivedAt: 0 },
      ])
    }),
  },
  {
    name: "the files that were written again because of a deletion are kept until its receipt is sealed",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(workspace))
      const { from, path, sha256, table, to } = one
      const rewrite = { table, from, to, path, sha256, newPath: "lake/1/new.parquet", newSha256: "11" }
      const rewritten = [2, 4].map((position) => ({ position: at(position), rewrite }))
      yield* lake.commit(commitOf({ token: token - 1, rewritten }))
      yield* expectSame("of an earlier token", yield* lake.rewrites(workspace, at(2)), [])
      yield* lake.commit(commitOf({ token, rewritten }))
      yield* lake.commit(commitOf({ token, rewritten }))
      yield* expectSame("of the second", yield* lake.rewrites(workspace, at(2)), [rewrite])
      yield* expectSame("of another workspace", yield* lake.rewrites(other, at(2)), [])
      const ledger = yield* ErasureLedger
      yield* ledger.seal(workspace, { at: 0, position: at(2) }, { text: "{}", signature: "00" })
      yield* expectSame("sealed", yield* lake.rewrites(workspace, at(2)), [])
      yield* expectSame("of the fourth", yield* lake.rewrites(workspace, at(4)), [rewrite])
      yield* moveLake(workspace)
      yield* expectSame("of a cleared lake", yield* lake.rewrites(workspace, at(4)), [])
    }),
  },
  {
    name: "contract §16 erasure receipts: no receipt is due before the lake has read and followed the deletion",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const unsealed = Effect.map(
        Effect.flatMap(ErasureLedger, (ledger) => ledger.unsealed(null)),
        ({ items }) => items.map(({ position }) => position),
      )
      const claim = Effect.flatMap(LogCursors, (cursors) => cursors.claim(lakeCursor(first.id)))
      yield* apply(identify(byId("ada"), []), remove(byId("ada")))
      yield* expectSame("without a lake", yield* unsealed, [at(2)])
      yield* claim
      yield* expectSame("before the lake has a file", yield* unsealed, [])
      yield* moveLake(first.id)
      yield* expectSame("once the lake is stopped", yield* unsealed, [at(2)])
      const { token } = yield* claim
      const commit = { workspace: first.id, token }
      yield* lake.commit(commitOf({ ...commit, to: at(1) }))
      yield* expectSame("before it has read the deletion", yield* unsealed, [])
      const noticed = [{ position: at(2), subject: SubjectKey.make(1), receivedAt: noon }]
      yield* lake.commit(commitOf({ ...commit, to: at(2), noticed }))
      yield* expectSame("before its files have followed it", yield* unsealed, [])
      yield* lake.commit(commitOf({ ...commit, followed: [at(2)] }))
      yield* expectSame("afterwards", yield* unsealed, [at(2)])
    }),
  },
  {
    name: "a search for receipts that are due looks at a limited number of those that wait for a lake, the newest first",
    check: Effect.gen(function* () {
      const ledger = yield* ErasureLedger
      const lake = yield* LakeFiles
      yield* apply(identify(byId("ada"), []), remove(byId("ada")))
      const { token } = yield* (yield* LogCursors).claim(lakeCursor(first.id))
      yield* lake.commit(commitOf({ workspace: first.id, token, to: at(2) }))
      const people = Array.from({ length: unsealedMax }, (_, n) => byId(`person ${n}`))
      const later = { receivedAt: noon + 1 }
      yield* apply(...people.flatMap((one) => [identify(one, [], later), remove(one, later)]))
      const { items, next } = yield* ledger.unsealed(null)
      yield* expectSame("the newest, of which all wait", items, [])
      yield* expectSame("the oldest that was looked at", next?.position, at(4))
      const older = yield* ledger.unsealed(next)
      yield* expectSame(
        "the one before them",
        older.items.map(({ position }) => position),
        [at(2)],
      )
      yield* expectSame("the end", older.next, null)
    }),
  },
  {
    name: "a lake that is cleared begins anew, and refuses its previous writer",
    check: Effect.gen(function* () {
      const lake = yield* LakeFiles
      const cursors = yield* LogCursors
      const { token } = yield* cursors.claim(lakeCursor(workspace))
      yield* lake.commit(commitOf({ token, added: [one], to: at(4) }))
      yield* moveLake(workspace)
      yield* expectSame("the files", yield* lake.files(workspace), [])
      yield* expectSame("a late commit", yield* lake.commit(commitOf({ token, added: [two] })), false)
      const claimed = yield* cursors.claim(lakeCursor(workspace))
      yield* expectSame("the position", claimed.position, null)
    }),
  },
  {
    name: "people and visitors are gone once they are deleted, before and after housekeeping",
    check: Effect.gen(function* () {
      const catalog = yield* Catalog
      const { entries } = yield* apply(
        identify(byId("ada"), []),
        event(byAnonymousId("cookie"), "seen"),
        identify(byId("bob"), []),
      )
      const keys = new Set(entries.flatMap(({ subject }) => subject ?? []))
      yield* expectSame("three subjects", keys.size, 3)
      yield* expectSame("before", yield* catalog.goneAmong(first.id, keys), new Set())
      yield* apply(remove(byId("bob")))
      const bob = new Set([...keys].slice(2))
      yield* expectSame("after the deletion", yield* catalog.goneAmong(first.id, keys), bob)
      yield* sweepAll(noon)
      yield* expectSame("after housekeeping", yield* catalog.goneAmong(first.id, keys), bob)
    }),
  },
  {
    name: "a merged person and an identified visitor belong to their person, until a merge is undone",
    check: Effect.gen(function* () {
      const catalog = yield* Catalog
      const cookie = byAnonymousId("cookie")
      const { entries } = yield* apply(
        identify(byId("ada"), []),
        event(cookie, "seen"),
        identify(byId("bob"), [], { anonymousId: "cookie" }),
        event(byAnonymousId("nobody"), "seen"),
        identifyObject(objectOf("1", "acme"), []),
        identify(byId("gone"), []),
        remove(byId("gone")),
      )
      const keys = entries.flatMap(({ subject }) => subject ?? [])
      const [ada, visitor, bob, nobody, acme] = keys
      if (ada === undefined || visitor === undefined || bob === undefined) throw new Error("nobody")
      if (nobody === undefined || acme === undefined) throw new Error("nobody")
      const owners = catalog.ownersAmong(first.id, new Set([...keys, SubjectKey.make(1_000_000)]))
      const since = noon - eventMergeWindowMs
      const others = [
        [nobody, { owner: null, since: null }],
        [acme, { owner: null, since: null }],
      ] satisfies ReadonlyArray<readonly [SubjectKey, Ownership]>
      yield* expectSame(
        "before the merge",
        yield* owners,
        new Map<SubjectKey, Ownership>([
          [ada, { owner: ada, since: null }],
          [visitor, { owner: bob, since }],
          [bob, { owner: bob, since: null }],
          ...others,
        ]),
      )
      const { entries: merged } = yield* apply(merge(byId("ada"), byId("bob")))
      yield* expectSame(
        "merged",
        yield* owners,
        new Map<SubjectKey, Ownership>([
          [ada, { owner: ada, since: null }],
          [visitor, { owner: ada, since }],
          [bob, { owner: ada, since: 0 }],
          ...others,
        ]),
      )
      yield* apply(...merged.flatMap((entry) => mergeIn(entry) ?? []).map((one) => unmerge(one)))
      yield* expectSame("undone", (yield* owners).get(visitor), { owner: bob, since })
      yield* expectSame("undone", (yield* owners).get(bob), { owner: bob, since: null })
    }),
  },
]
