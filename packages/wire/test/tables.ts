import { describe, it } from "@effect/vitest"
import type { Command } from "@inlethq/core/Command"
import type { RejectOperation } from "@inlethq/core/operation/commands"
import type { Limits } from "@inlethq/core/workspace/Limits"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import type { Result } from "effect"
import { assertDecoded, workspace, type Expected } from "./requests.ts"

/** A test case: its title, the input, the expected outcome, and the workspace if it is not the default one. */
export type Row<Input> = readonly [name: string, input: Input, expected: Expected, over?: Workspace]

/** Defines one test for each row. */
export const table = <Input>(
  title: string,
  decode: (over: Workspace, input: Input) => Result.Result<Command, RejectOperation>,
  rows: ReadonlyArray<Row<Input>>,
): void => {
  describe(title, () => {
    for (const [name, input, expected, over = workspace] of rows) {
      it(name, () => assertDecoded(decode(over, input), expected))
    }
  })
}

export const withLimits = (limits: Partial<Limits>): Workspace => ({
  ...workspace,
  limits: { ...workspace.limits, ...limits },
})

/** Returns an object with `count` attributes. */
export const many = (count: number, prefix = "a") =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]))

/** Builds the reference to an object that a command contains. */
export const byTypeAndId = (typeId: string, objectId: string) => ({ _tag: "ByTypeAndId", typeId, objectId })
export const bySvcObjectId = (key: number | null) => ({ _tag: "BySvcObjectId", key })
