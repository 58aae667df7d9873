import { KafkaCursors } from "@inlet/core/ports/KafkaCursors"
import { Sequence, WorkspaceId } from "@inlet/core/values/Identifier"
import { Effect } from "effect"
import { expectSame, type Law } from "./Law.ts"

const one = WorkspaceId.make(1)
const two = WorkspaceId.make(2)
const at = (sequence: number) => Sequence.make(sequence)

export const kafkaLaws: ReadonlyArray<Law<KafkaCursors>> = [
  {
    name: "a workspace that was never copied to Kafka has no cursor",
    check: Effect.gen(function* () {
      const cursors = yield* KafkaCursors
      yield* expectSame("cursor", yield* cursors.position(one), null)
    }),
  },
  {
    name: "the Kafka cursors of two workspaces are independent",
    check: Effect.gen(function* () {
      const cursors = yield* KafkaCursors
      yield* cursors.advance(one, at(5))
      yield* cursors.advance(two, at(3_000_000_000))
      yield* expectSame("workspace 1", yield* cursors.position(one), at(5))
      yield* expectSame("workspace 2", yield* cursors.position(two), at(3_000_000_000))
    }),
  },
  {
    name: "a Kafka cursor never moves back",
    check: Effect.gen(function* () {
      const cursors = yield* KafkaCursors
      yield* cursors.advance(one, at(9))
      yield* cursors.advance(one, at(7))
      yield* expectSame("after a late call", yield* cursors.position(one), at(9))
      yield* cursors.advance(one, at(10))
      yield* expectSame("after the next call", yield* cursors.position(one), at(10))
    }),
  },
]
