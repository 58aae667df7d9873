import { decideAll } from "@inlet/core/Batch"
import type { Command } from "@inlet/core/Command"
import { Sequence, SubjectKey } from "@inlet/core/values/Identifier"
import { make, type WorkingSet } from "@inlet/core/WorkingSet"
import { assert } from "@effect/vitest"

/** Returns the state after some commands on an empty workspace. */
export const runWhole = (commands: ReadonlyArray<Command>): WorkingSet =>
  decideAll(
    make(SubjectKey.make(1), Sequence.make(1), (text) => `digest of ${text.length}`),
    commands,
  ).seen

/** Asserts that two values are the same as JSON. */
export const assertSame = (actual: unknown, expected: unknown): void =>
  assert.strictEqual(JSON.stringify(actual), JSON.stringify(expected))
