import { ErasureLedger } from "@inlethq/core/ports/ErasureLedger"
import { LogCursors } from "@inlethq/core/ports/LogCursors"
import {
  LogSummaries,
  summariesCursor,
  summaryRowsMax,
  type ShapedTypeRow,
  type SummaryCommit,
} from "@inlethq/core/ports/LogSummaries"
import type { Registry } from "@inlethq/core/ports/Registry"
import type { Store } from "@inlethq/core/ports/Store"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { byId, identify, remove } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply } from "../script/scenario.ts"

const workspace = WorkspaceId.make(1)
const other = WorkspaceId.make(2)
const cursor = summariesCursor(workspace)

/** Returns the summary of a name. */
export const typeRow = (name: string, kind = "event", doc = `{"of":"${name}"}`): ShapedTypeRow => ({
  kind,
  name,
  doc,
  shape: "{}",
})

const commitOf = (token: number, to: number, fields: Partial<SummaryCommit> = {}): SummaryCommit => ({
  workspace,
  token,
  to: Sequence.make(to),
  types: [],
  causes: [],
  forgottenCauses: [],
  hasForgotten: false,
  ...fields,
})

const withoutShape = ({ doc, kind, name }: ShapedTypeRow) => ({ kind, name, doc })

/** Names that databases may compare or cut otherwise than by their characters. */
const names = ["Zebra", "a b", "a\u0000b", "apple", "größe", "\ud800", "\u{1F600}", "\uFFFFx"]

export const summaryLaws: ReadonlyArray<Law<ErasureLedger | LogCursors | LogSummaries | Registry | Store>> = [
  {
    name: "summaries are saved with the position up to which they are, and only by the newest reader",
    check: Effect.gen(function* () {
      const [cursors, summaries] = yield* Effect.all([LogCursors, LogSummaries])
      const { token } = yield* cursors.claim(cursor)
      const causes = [{ cause: "one", doc: "1" }]
      yield* expectSame(
        "the commit",
        yield* summaries.commit(commitOf(token, 4, { types: [typeRow("bought")], causes })),
        true,
      )
      yield* expectSame("the position", yield* cursors.position(cursor), Sequence.make(4))
      yield* cursors.claim(cursor)
      const late = commitOf(token, 9, { types: [typeRow("late")], forgottenCauses: ["one"] })
      yield* expectSame("the commit of the last reader", yield* summaries.commit(late), false)
      yield* expectSame("the position", yield* cursors.position(cursor), Sequence.make(4))
      yield* expectSame("the names", (yield* summaries.types(workspace, null, null)).items, [
        withoutShape(typeRow("bought")),
      ])
      yield* expectSame("the causes", yield* summaries.causes(workspace, null), { items: causes, next: null })
      yield* expectSame("the names elsewhere", (yield* summaries.types(other, null, null)).items, [])
    }),
  },
  {
    name: "a later summary of a name or a cause takes the place of the one before, and a cause can be forgotten",
    check: Effect.gen(function* () {
      const [cursors, summaries] = yield* Effect.all([LogCursors, LogSummaries])
      const { token } = yield* cursors.claim(cursor)
      const causes = ["one", "two"].map((cause) => ({ cause, doc: "1" }))
      yield* summaries.commit(commitOf(token, 1, { types: [typeRow("bought")], causes }))
      const again = { ...typeRow("bought", "event", "2"), shape: '{"more":1}' }
      yield* summaries.commit(
        commitOf(token, 2, {
          types: [again],
          causes: [{ cause: "two", doc: "2" }],
          forgottenCauses: ["one", "none"],
        }),
      )
      yield* expectSame("the name", yield* summaries.type(workspace, again), again)
      yield* expectSame(
        "another kind",
        yield* summaries.type(workspace, { kind: "page", name: "bought" }),
        null,
      )
      yield* expectSame("the causes", (yield* summaries.causes(workspace, null)).items, [
        { cause: "two", doc: "2" },
      ])
    }),
  },
  {
    name: "names of any characters are kept apart, and listed once each, by kind",
    check: Effect.gen(function* () {
      const [cursors, summaries] = yield* Effect.all([LogCursors, LogSummaries])
      const { token } = yield* cursors.claim(cursor)
      const rows = ["page", "event"].flatMap((kind) =>
        names.map((name, index) => typeRow(name, kind, `${index}`)),
      )
      yield* summaries.commit(commitOf(token, 1, { types: rows }))
      for (const row of rows) yield* expectSame(row.name, yield* summaries.type(workspace, row), row)
      const pages = (yield* summaries.types(workspace, "page", null)).items
      yield* expectSame("the kinds", [...new Set(pages.map(({ kind }) => kind))], ["page"])
      yield* expectSame("the names", new Set(pages.map(({ name }) => name)), new Set(names))
      const first = pages[2]
      if (first === undefined) return
      const rest = yield* summaries.types(workspace, "page", first)
      yield* expectSame("the rest", rest.items, pages.slice(3))
    }),
  },
  {
    name: "summaries are read in pages",
    check: Effect.gen(function* () {
      const [cursors, summaries] = yield* Effect.all([LogCursors, LogSummaries])
      const { token } = yield* cursors.claim(cursor)
      const count = 2 * summaryRowsMax + 3
      const numbered = Array.from({ length: count }, (_, index) => String(index).padStart(4, "0"))
      yield* summaries.commit(
        commitOf(token, 1, {
          types: numbered.map((name) => typeRow(name)),
          causes: numbered.map((cause) => ({ cause, doc: "1" })),
        }),
      )
      const firstPage = yield* summaries.shapedTypes(workspace, null)
      const secondPage = yield* summaries.shapedTypes(workspace, firstPage.next)
      const lastPage = yield* summaries.shapedTypes(workspace, secondPage.next)
      const found = [firstPage, secondPage, lastPage].flatMap(({ items }) => items.map(({ name }) => name))
      yield* expectSame("the names", found, numbered)
      yield* expectSame("the end", lastPage.next, null)
      const causes = yield* summaries.causes(workspace, numbered[count - 4] ?? null)
      yield* expectSame(
        "the last causes",
        causes.items.map(({ cause }) => cause),
        numbered.slice(-3),
      )
    }),
  },
  {
    name: "the receipt of an erasure waits until the summaries of the log have come to it",
    check: Effect.gen(function* () {
      const [cursors, ledger, summaries] = yield* Effect.all([LogCursors, ErasureLedger, LogSummaries])
      const { token } = yield* cursors.claim(cursor)
      yield* apply(identify(byId("ada"), []), remove(byId("ada")))
      yield* expectSame("unread", (yield* ledger.unsealed(null)).items.length, 0)
      yield* summaries.commit(commitOf(token, 2))
      yield* expectSame("read", (yield* ledger.unsealed(null)).items.length, 1)
    }),
  },
]
