import { AuditPosition, auditPositionsPerMs, type NewAuditRecord } from "@inlethq/core/audit/AuditRecord"
import {
  AuditLog,
  auditPrunedMax,
  auditReadMax,
  type AuditPlace,
  type AuditReach,
} from "@inlethq/core/ports/AuditLog"
import { Registry, erasureMsMin } from "@inlethq/core/ports/Registry"
import { Store } from "@inlethq/core/ports/Store"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { dayMs } from "@inlethq/core/values/Timestamp"
import { defaultSettings } from "@inlethq/core/workspace/Workspace"
import { Effect } from "effect"
import { noon } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { sweepAll } from "../script/scenario.ts"

const [one, two] = [WorkspaceId.make(1), WorkspaceId.make(2)]

/** Returns a record whose target tells it from the others. */
export const auditRecordOf = (id: string, workspace: WorkspaceId | null = null): NewAuditRecord => ({
  workspace,
  action: "key.create",
  outcome: "begun",
  status: null,
  actor: { kind: "token", id: "t1", name: "CI \u0000 \ud800 \uffff" },
  target: { id, name: null },
  changes: [{ setting: "limits.x", from: 1, to: ["\u0000"], isSecret: false }],
  details: { kind: "track" },
  address: "::1",
  forwardedFor: null,
  userAgent: "curl/8",
  count: 1,
})

const idsOf = (items: ReadonlyArray<{ readonly target: { readonly id: string } | null }>) =>
  items.map(({ target }) => target?.id)

const readIds = Effect.fnUntraced(function* (reach: AuditReach = "everything") {
  const log = yield* AuditLog
  const ids: Array<string | undefined> = []
  let after: AuditPlace | null = null
  do {
    const page: Effect.Success<ReturnType<typeof log.read>> = yield* log.read(reach, {
      limit: auditReadMax,
      after,
      order: "desc",
    })
    ids.push(...idsOf(page.items))
    after = page.next
  } while (after !== null)
  return ids
})

const pruneAll = Effect.fnUntraced(function* (now: number, days: number) {
  const log = yield* AuditLog
  while (!(yield* log.prune(now, days))) {
    // Each step removes some records.
  }
})

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The properties that every audit log must have. */
export const auditLaws: ReadonlyArray<Law<AuditLog | Registry | Store>> = [
  {
    name: "the audit log keeps records by time, and by arrival within a millisecond",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const second = yield* log.append(auditRecordOf("second"), noon)
      yield* log.append(auditRecordOf("third"), noon)
      yield* log.append(auditRecordOf("first", one), noon - 1)
      yield* log.append(auditRecordOf("fourth", one), noon + 1)
      yield* expectSame("stored", second, {
        ...auditRecordOf("second"),
        position: AuditPosition.make(noon * auditPositionsPerMs),
      })
      yield* expectSame("newest first", yield* readIds(), ["fourth", "third", "second", "first"])
      const { items } = yield* log.read("installation", { limit: 1, after: null, order: "asc" })
      yield* expectSame("as stored", items, [second])
    }),
  },
  {
    name: "the audit log is read in pages, in both directions",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      // Records of different workspaces can have the same position.
      for (const n of numbers(3)) {
        yield* log.append(auditRecordOf(`${n}0`), noon + n)
        yield* log.append(auditRecordOf(`${n}1`, one), noon + n)
        yield* log.append(auditRecordOf(`${n}2`, two), noon + n)
      }
      const ascending = ["00", "01", "02", "10", "11", "12", "20", "21", "22"]
      for (const order of ["asc", "desc"] as const) {
        const expected = order === "asc" ? ascending : ascending.toReversed()
        for (const limit of [1, 2, 9, 10]) {
          const read: Array<string | undefined> = []
          let after: AuditPlace | null = null
          do {
            const page: Effect.Success<ReturnType<typeof log.read>> = yield* log.read("everything", {
              limit,
              after,
              order,
            })
            yield* expectSame("no empty page", page.items.length > 0 && page.items.length <= limit, true)
            read.push(...idsOf(page.items))
            after = page.next
          } while (after !== null)
          yield* expectSame(`${order} by ${limit}`, read, expected)
        }
      }
      yield* expectSame("one workspace", yield* readIds(one), ["21", "11", "01"])
      yield* expectSame("the installation", yield* readIds("installation"), ["20", "10", "00"])
      yield* expectSame("no records", yield* readIds(WorkspaceId.make(3)), [])
    }),
  },
  {
    name: "a replaced record keeps its place, and a removed one stays removed",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const begun = yield* log.append(auditRecordOf("one", one), noon)
      const other = yield* log.append(auditRecordOf("other", two), noon)
      const done = { ...begun, outcome: "done", status: 201, count: 7 } as const
      yield* log.replace(done)
      const page = yield* log.read("everything", { limit: 9, after: null, order: "asc" })
      yield* expectSame("replaced", page.items, [done, other])
      yield* pruneAll(noon + 400 * dayMs, 1)
      yield* log.replace(done)
      yield* expectSame("removed", yield* readIds(), [])
    }),
  },
  {
    name: "more records than a millisecond has places for spill into the next",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const count = auditPositionsPerMs + 2
      yield* Effect.forEach(numbers(count), (n) => log.append(auditRecordOf(`${n}`), noon))
      yield* log.append(auditRecordOf("last"), noon + 1)
      const ids = yield* readIds()
      yield* expectSame("all", new Set(ids).size, count + 1)
      yield* expectSame("newest", ids[0], "last")
    }),
  },
  {
    name: "audit records are removed after the days of their workspace, or of the installation",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const registry = yield* Registry
      const settings = defaultSettings("workspace", "us")
      const long = yield* registry.createWorkspace({ ...settings, auditDays: 30 })
      const short = yield* registry.createWorkspace({ ...settings, auditDays: 2 })
      for (const day of numbers(4)) {
        const at = noon + day * dayMs
        yield* log.append(auditRecordOf(`${day} long`, long.id), at)
        yield* log.append(auditRecordOf(`${day} short`, short.id), at)
        yield* log.append(auditRecordOf(`${day} installation`), at)
      }
      yield* pruneAll(noon + 3 * dayMs, 1)
      const kept = new Set(yield* readIds())
      const expected = ["3 installation", "2 installation", "3 short", "2 short", "1 short"]
      yield* expectSame("kept", kept, new Set([...expected, ...numbers(4).map((day) => `${day} long`)]))
    }),
  },
  {
    name: "audit records are removed in bounded steps",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const count = auditPrunedMax + 3
      yield* Effect.forEach(
        numbers(count),
        (n) => log.append(auditRecordOf(`${n}`, n % 2 === 0 ? one : two), noon + n),
        {
          concurrency: 8,
        },
      )
      yield* expectSame("more to remove", yield* log.prune(noon + 10 * dayMs, 1), false)
      yield* expectSame("left", (yield* readIds()).length, 3)
      yield* pruneAll(noon + 10 * dayMs, 1)
      yield* expectSame("none left", yield* readIds(), [])
    }),
  },
  {
    name: "the audit records of a deleted workspace stay for the days of the installation",
    check: Effect.gen(function* () {
      const log = yield* AuditLog
      const registry = yield* Registry
      yield* registry.createWorkspace(defaultSettings("kept", "us"))
      const deleted = yield* registry.createWorkspace({ ...defaultSettings("deleted", "us"), auditDays: 1 })
      yield* log.append(auditRecordOf("about it", deleted.id), noon)
      yield* registry.deleteWorkspace(deleted.id, noon)
      yield* sweepAll(noon)
      yield* sweepAll(noon + erasureMsMin)
      const late = yield* log.append(auditRecordOf("its deletion", deleted.id), noon + 1)
      yield* log.replace({ ...late, outcome: "done" })
      yield* pruneAll(noon + 2 * dayMs, 365)
      yield* expectSame("kept", yield* readIds(deleted.id), ["its deletion", "about it"])
      yield* pruneAll(noon + 366 * dayMs, 365)
      yield* expectSame("removed", yield* readIds(deleted.id), [])
    }),
  },
]
