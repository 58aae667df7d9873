import { decideAll } from "@inlethq/core/Batch"
import type { Command } from "@inlethq/core/Command"
import { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { makeWorkingSet, type WorkingSet } from "@inlethq/core/fold/WorkingSet"
import { assert } from "@effect/vitest"

/** Returns the state of an empty workspace after some commands. */
export const runWhole = (commands: ReadonlyArray<Command>): WorkingSet =>
  decideAll(
    makeWorkingSet(
      WorkspaceId.make(1),
      SubjectKey.make(1),
      Sequence.make(1),
      (text) => `digest of ${text.length}`,
      { mayHaveHolders: false },
    ),
    commands,
  ).state

/** Asserts that two values are equal as JSON. */
export const assertSame = (actual: unknown, expected: unknown): void =>
  assert.strictEqual(JSON.stringify(actual), JSON.stringify(expected))
