import { Effect } from "effect"
import { needsOf } from "@inlet/core/CommandTable"
import { decideInSlices } from "@inlet/core/Batch"
import type { Command } from "@inlet/core/Command"
import { Store } from "@inlet/core/ports/Store"
import type { Identifier } from "@inlet/core/values/Identifier"
import type { Workspace } from "@inlet/core/workspace/Workspace"
import type { StoreServices } from "@inlet/storage/storeServices"
import {
  byId,
  event,
  identify,
  merge,
  noon,
  remove,
  suppress,
  workspaceOf,
  type Circumstances,
} from "./commands.ts"
import { expectSame, type Law } from "./Law.ts"
import { activity, apply, ledgerOf, people, personBy, sweepAll } from "./scenario.ts"

/* A deletion that names what a merge freed finds the merged person, however the calls fall into commits. */

type Script = (given: Circumstances) => ReadonlyArray<Command>

/** Identifies two people, merges them, and ends with a call that names the one who was merged. */
const scriptOf =
  (last: (given: Circumstances) => ReadonlyArray<Command>): Script =>
  (given) => [
    identify(byId("ada"), [["plan", "pro"]], given),
    identify(byId("bob"), [["secret", "of bob"]], { ...given, email: "bob@example.com" }),
    merge(byId("ada"), byId("bob"), given),
    ...last(given),
  ]

const deleted = scriptOf((given) => [remove(byId("bob"), given)])
const suppressed = scriptOf((given) => [suppress(byId("bob"), given), event(byId("bob"), "ignored", given)])
/** The name is free as soon as the person is deleted. */
const again = scriptOf((given) => [
  remove(byId("bob"), given),
  identify(byId("bob"), [["secret", "of another"]], given),
])

/** Some ways to divide a list into commits: all at once, one by one, and in two anywhere after the second. */
const splitsOf = (commands: ReadonlyArray<Command>): ReadonlyArray<ReadonlyArray<ReadonlyArray<Command>>> => [
  [commands],
  commands.map((command) => [command]),
  ...commands.slice(2).map((_, index) => [commands.slice(0, index + 2), commands.slice(index + 2)]),
]

/** Returns everything that readers see in a workspace, without its number. */
const seenIn = (workspace: Workspace) =>
  Effect.gen(function* () {
    const everybody = yield* people(null, { workspace })
    const entries = yield* activity({}, { workspace })
    const ledger = yield* ledgerOf(workspace)
    return {
      everybody: everybody.map(({ attributes, email, id, key }) => [
        key,
        id,
        email,
        [...attributes].map(([name, { value }]) => [name, value]),
      ]),
      entries: entries.map(({ changes, kind, outcome, person, refused, sequence, source }) => [
        sequence,
        kind,
        source,
        outcome,
        person?.key ?? null,
        changes.map(({ path }) => path),
        refused,
      ]),
      ledger: ledger.map(({ action, counts, position }) => [action, position, counts?.attributes]),
    }
  })

const endsAlike = (name: string, script: Script): Law<StoreServices> => ({
  name: `contract §6 delete of a merged person: ${name} ends alike in every split`,
  check: Effect.gen(function* () {
    const splits = splitsOf(script({}))
    let expected: string | undefined
    for (const [index, batches] of splits.entries()) {
      const workspace = workspaceOf(index + 1)
      for (const batch of batches) yield* apply(...batch.map((command) => ({ ...command, workspace })))
      const atOnce = JSON.stringify(yield* seenIn(workspace))
      yield* sweepAll(noon)
      yield* expectSame("what housekeeping leaves", JSON.stringify(yield* seenIn(workspace)), atOnce)
      yield* expectSame(`split ${index}`, atOnce, (expected ??= atOnce))
      yield* expectSame("the outcome", (yield* activity({ kind: "unmerge" }, { workspace })).length, 1)
    }
  }),
})

const bob: Identifier = { kind: "id", value: "bob" }

export const freedLaws: ReadonlyArray<Law<StoreServices>> = [
  endsAlike("deleting", deleted),
  endsAlike("suppressing", suppressed),
  endsAlike("deleting and identifying again", again),
  {
    name: "contract §6 delete of a merged person: requests that are sent together end as requests sent one after the other",
    check: Effect.gen(function* () {
      const store = yield* Store
      const workspace = workspaceOf(1)
      const written = yield* Effect.forEach(deleted({}), (command) =>
        store.transact(needsOf(workspace.id, [command]), (seen) => decideInSlices(seen, [command])),
      )
      const decided = yield* Effect.all(written)
      yield* expectSame("the outcome", decided.at(-1)?.entries[0]?.outcome, "applied")
      yield* expectSame("Bob", yield* personBy(bob), null)
    }),
  },
  {
    name: "contract §6 delete of a merged person: the end of the merge comes after the items of the request",
    check: Effect.gen(function* () {
      const items = [...deleted({}), event(byId("ada"), "afterwards")]
      const { entries } = yield* apply(...items.map((item, batchIndex) => ({ ...item, batchIndex })))
      yield* expectSame(
        "the positions",
        JSON.stringify(entries.map(({ kind, sequence }) => [kind, sequence])),
        JSON.stringify([
          ["identify", 1],
          ["identify", 2],
          ["merge", 3],
          ["delete", 4],
          ["event", 5],
        ]),
      )
      const [end] = yield* activity({ kind: "unmerge" })
      yield* expectSame("its position", end?.sequence, 6)
      yield* expectSame("who caused it", end?.source, "system")
      yield* expectSame(
        "the deletion",
        JSON.stringify(end?.data),
        JSON.stringify({ operation_id: "op11000000004" }),
      )
    }),
  },
]
