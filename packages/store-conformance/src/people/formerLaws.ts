import { Effect } from "effect"
import type { Command } from "@inlethq/core/Command"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import {
  byEmail,
  byId,
  bySvcId,
  event,
  first,
  identify,
  merge,
  noon,
  remove,
  second,
  suppress,
} from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, sweepAll } from "../script/scenario.ts"

/** Returns what the entries of a workspace say, with operation ids that do not name it. */
const reasons = (workspace: Workspace) =>
  Effect.map(activity({}, { workspace }), (views) =>
    views.map(({ reasons }) =>
      reasons.length === 0
        ? null
        : reasons
            .map(({ code, values }) => [code, ...Object.values(values)].join(" "))
            .join("; ")
            .replaceAll(/\bop1[12]/g, "op1_"),
    ),
  )

/** Returns what the entries of commands say, once in one commit and once in a commit for each. */
const said = Effect.fnUntraced(function* (commandsIn: (workspace: Workspace) => ReadonlyArray<Command>) {
  yield* apply(...commandsIn(first))
  for (const command of commandsIn(second)) yield* apply(command)
  const together = yield* reasons(first)
  yield* expectSame("one after the other", yield* reasons(second), together)
  return together
})

const operation = (n: number) => `op1_${n.toString(36).padStart(9, "0")}`

const placeholder = (kind: string, value: string) => `placeholder_id ${kind} ${value}`
const same = (n: number) => `duplicate_same ${operation(n)}`
const differs = (n: number) => `duplicate_other ${operation(n)}`

/** The properties that every store must have for what entries say about earlier operations. */
export const formerLaws: ReadonlyArray<Law> = [
  {
    name: "contract §6 placeholders: the entry of an operation that took effect names a placeholder",
    check: Effect.gen(function* () {
      const reasons = yield* said((workspace) => {
        const given = { in: workspace }
        return [
          identify(byId("undefined"), [], { ...given, anonymousId: "null" }),
          event(byId("NaN"), "seen", given),
          event(byId("ada"), "seen", { ...given, anonymousId: "Guest" }),
          remove(byId("nobody-0"), given),
        ]
      })
      yield* expectSame("reasons", reasons.slice(0, 3), [
        placeholder("id", "undefined"),
        placeholder("id", "NaN"),
        placeholder("anonymous_id", "Guest"),
      ])
    }),
  },
  {
    name: "contract §6: an identify says who had the identifier before, and names the operation that merged them",
    check: Effect.gen(function* () {
      const reasons = yield* said((workspace) => {
        const given = { in: workspace }
        return [
          identify(byId("gone"), [["a", 1]], { ...given, email: "gone@example.com" }),
          remove(byId("gone"), given),
          identify(byId("gone"), [["a", 2]], given),
          identify(byId("new"), [], given),
          identify(byEmail("GONE@example.com"), [], given),
          identify(byId("a"), [], given),
          identify(byId("b"), [], given),
          merge(byId("a"), byId("b"), given),
          identify(byId("b"), [], given),
          identify(byId("b"), [["again", 1]], given),
        ]
      })
      yield* expectSame("reasons", reasons, [
        null,
        null,
        `deleted_before id ${operation(2)}`,
        null,
        `deleted_before email ${operation(2)}`,
        null,
        null,
        null,
        `merged_before id ${operation(8)}`,
        null,
      ])
    }),
  },
  {
    name: "contract §6: an identify says that a person was deleted even after housekeeping has erased everything else",
    check: Effect.gen(function* () {
      yield* apply(identify(byId("gone")), remove(byId("gone")))
      yield* sweepAll(noon)
      yield* apply(identify(byId("gone")), identify(byId("other")))
      yield* expectSame("reasons", (yield* reasons(first)).slice(-2), [
        `deleted_before id ${operation(2)}`,
        null,
      ])
    }),
  },
  {
    name: "contract §6: an identify says by which operation a person lost the identifier",
    check: Effect.gen(function* () {
      const reasons = yield* said((workspace) => {
        const given = { in: workspace }
        return [
          identify(byId("a"), [], { ...given, email: "old@example.com" }),
          identify(bySvcId(1), [], { ...given, id: "b", email: "new@example.com" }),
          identify(byId("b"), [], { ...given, removeEmail: true }),
          identify(byId("a"), [], given),
          identify(byEmail("old@example.com"), [], given),
          identify(byEmail("new@example.com"), [], given),
          merge(byId("b"), byId("c"), given),
          identify(byId("c"), [], given),
          identify(bySvcId(5), [], { ...given, id: "d" }),
          merge(byId("b"), byId("c"), given),
          remove(byEmail("new@example.com"), given),
          identify(byEmail("new@example.com"), [], given),
        ]
      })
      yield* expectSame("reasons", reasons, [
        null,
        null,
        null,
        `replaced_before id ${operation(2)}`,
        `replaced_before email ${operation(2)}`,
        // The person is deleted below.
        null,
        "no_secondary",
        null,
        null,
        `party_renamed secondary ${operation(9)}`,
        null,
        `deleted_before email ${operation(11)}`,
      ])
    }),
  },
  {
    name: "contract §6 merge of unknown people: the entry says what became of who is missing",
    check: Effect.gen(function* () {
      const reasons = yield* said((workspace) => {
        const given = { in: workspace }
        return [
          identify(byId("a"), [], given),
          identify(byId("b"), [], given),
          merge(byId("a"), byId("b"), given),
          merge(byId("b"), byId("a"), given),
          identify(byId("c"), [], given),
          suppress(byId("c"), given),
          identify(byId("d"), [], given),
          remove(byId("d"), given),
          merge(byId("a"), byId("d"), given),
          merge(byId("a"), byId("nobody"), given),
        ]
      })
      yield* expectSame("reasons", reasons, [
        null,
        null,
        null,
        `party_merged primary ${operation(3)}`,
        null,
        null,
        null,
        null,
        `party_deleted secondary ${operation(8)}`,
        "no_secondary",
      ])
    }),
  },
  {
    name: "contract §6 merge of unknown people: the entry names the deletion of whoever is named by svc_id",
    check: Effect.gen(function* () {
      const before = yield* said((workspace) => {
        const given = { in: workspace }
        return [
          identify(byId("a"), [], given),
          identify(byId("b"), [], given),
          identify(byId("c"), [], given),
          merge(byId("b"), byId("c"), given),
          merge(byId("a"), bySvcId(3), given),
          remove(bySvcId(2), given),
          merge(byId("a"), bySvcId(2), given),
          merge(bySvcId(3), byId("a"), given),
          identify(byId("b"), [], given),
          identify(bySvcId(2), [["a", 1]], given),
          merge(byId("a"), bySvcId(99), given),
        ]
      })
      yield* expectSame("reasons", before, [
        null,
        null,
        null,
        null,
        `party_merged secondary ${operation(4)}`,
        null,
        `party_deleted secondary ${operation(6)}`,
        `party_deleted primary ${operation(6)}`,
        `deleted_before id ${operation(6)}`,
        `svc_id_gone deleted ${operation(6)}`,
        "no_secondary",
      ])
      yield* sweepAll(noon)
      yield* apply(merge(byId("a"), bySvcId(2)), identify(bySvcId(3)), merge(byId("a"), bySvcId(4)))
      const later = yield* reasons(first)
      yield* expectSame("reasons after housekeeping", later.slice(-3), [
        `party_deleted secondary ${operation(6)}`,
        `svc_id_gone deleted ${operation(6)}`,
        null,
      ])
    }),
  },
  {
    name: "contract §8 deduplication: a duplicate names the first operation and says whether its content differs",
    check: Effect.gen(function* () {
      const reasons = yield* said((workspace) => {
        const given = { in: workspace, deduplicationKey: "k" }
        const other = { in: workspace, deduplicationKey: "i" }
        return [
          event(byId("u"), "paid", { ...given, data: { n: 1 } }),
          event(byId("u"), "paid", { ...given, data: { n: 1 } }),
          event(byId("v"), "paid", { ...given, data: { n: 1 } }),
          event(byId("u"), "paid", { ...given, data: { n: 2 } }),
          event(byId("u"), "shipped", { ...given, data: { n: 1 } }),
          identify(byId("u"), [], { in: workspace }),
          event(byId("u"), "paid", { ...given, data: { n: 1 } }),
          identify(byId("u"), [["a", 1]], other),
          identify(byId("u"), [["a", 1]], other),
          identify(byId("u"), [["a", 2]], other),
          event(byId("u"), "paid", { ...other, data: { a: 1 } }),
        ]
      })
      yield* expectSame("reasons", reasons, [
        null,
        same(1),
        differs(1),
        differs(1),
        differs(1),
        null,
        same(1),
        null,
        same(8),
        differs(8),
        differs(8),
      ])
    }),
  },
]
