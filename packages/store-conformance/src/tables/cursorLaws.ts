import { kafkaCursor, LogCursors } from "@inlethq/core/ports/LogCursors"
import { Registry } from "@inlethq/core/ports/Registry"
import type { Store } from "@inlethq/core/ports/Store"
import { Sequence, WorkspaceId } from "@inlethq/core/values/Identifier"
import { Effect } from "effect"
import { byId, first, identify } from "../script/commands.ts"
import { expectRefused, expectSame, type Law } from "../script/Law.ts"
import { apply } from "../script/scenario.ts"

const one = { workspace: WorkspaceId.make(1), destination: "kafka" }
const others = [
  { ...one, workspace: WorkspaceId.make(2) },
  { ...one, destination: "lake" },
]
const at = (sequence: number) => Sequence.make(sequence)

export const cursorLaws: ReadonlyArray<Law<LogCursors | Registry | Store>> = [
  {
    name: "a copy to Kafka that is turned on begins after the newest entry, whatever is tried too late",
    check: Effect.gen(function* () {
      const [registry, cursors] = yield* Effect.all([Registry, LogCursors])
      const { id: _, ...settings } = first
      const before = yield* registry.createWorkspace(settings)
      const after = { ...before, kafka: { topic: "people" } }
      const key = kafkaCursor(before.id)
      yield* apply(identify(byId("ada"), []), identify(byId("bob"), []))
      yield* registry.updateWorkspace(before, after)
      yield* expectSame("turned on", yield* cursors.position(key), at(2))
      yield* apply(identify(byId("cyd"), []))
      yield* expectRefused("ChangedMeanwhile", registry.updateWorkspace(before, after))
      yield* registry.updateWorkspace(after, { ...after, name: "Renamed" })
      yield* expectSame("changed otherwise", yield* cursors.position(key), at(2))
    }),
  },
  {
    name: "a reader that has read nothing has no position",
    check: Effect.gen(function* () {
      const cursors = yield* LogCursors
      yield* expectSame("before the first claim", yield* cursors.position(one), null)
      yield* expectSame("claimed", yield* cursors.claim(one), { position: null, token: 1 })
      yield* expectSame("after the first claim", yield* cursors.position(one), null)
    }),
  },
  {
    name: "each workspace and each destination has a cursor of its own",
    check: Effect.gen(function* () {
      const cursors = yield* LogCursors
      yield* cursors.advance(one, at(5), null)
      for (const other of others) {
        yield* expectSame("the position of another cursor", yield* cursors.position(other), null)
        yield* cursors.advance(other, at(3_000_000_000), null)
      }
      yield* cursors.claim(one)
      for (const other of others) {
        const expected = { position: at(3_000_000_000), token: 1 }
        yield* expectSame("the claim of another cursor", yield* cursors.claim(other), expected)
      }
      yield* expectSame("the first cursor", yield* cursors.position(one), at(5))
    }),
  },
  {
    name: "a cursor never moves back",
    check: Effect.gen(function* () {
      const cursors = yield* LogCursors
      yield* cursors.advance(one, at(9), null)
      const { token } = yield* cursors.claim(one)
      for (const by of [null, token]) {
        yield* expectSame("an earlier position", yield* cursors.advance(one, at(7), by), true)
        yield* expectSame("after an earlier position", yield* cursors.position(one), at(9))
      }
      yield* cursors.advance(one, at(10), token)
      yield* expectSame("after a later position", yield* cursors.position(one), at(10))
    }),
  },
  {
    name: "a cursor that nobody has claimed is not moved with a token",
    check: Effect.gen(function* () {
      const cursors = yield* LogCursors
      yield* expectSame("the result", yield* cursors.advance(one, at(3), 1), false)
      yield* expectSame("the position", yield* cursors.position(one), null)
    }),
  },
  {
    name: "after a cursor was claimed again, earlier tokens cannot move it",
    check: Effect.gen(function* () {
      const cursors = yield* LogCursors
      const first = yield* cursors.claim(one)
      yield* expectSame("the first token", yield* cursors.advance(one, at(3), first.token), true)
      const second = yield* cursors.claim(one)
      yield* expectSame("the second claim", second, { position: at(3), token: first.token + 1 })
      yield* expectSame("the first token, late", yield* cursors.advance(one, at(4), first.token), false)
      yield* expectSame("after the late call", yield* cursors.position(one), at(3))
      yield* expectSame("the second token", yield* cursors.advance(one, at(4), second.token), true)
      yield* expectSame("after the second token", yield* cursors.position(one), at(4))
    }),
  },
]
