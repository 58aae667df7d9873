import { assert, describe, it } from "@effect/vitest"
import type { CallType } from "../src/pipelines/CallType.ts"
import { decodeCall } from "../src/pipelines/decode.ts"
import type { Decoded } from "../src/pipelines/RequestContext.ts"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { assertCommand, faultLine, requestContext, workspace, type ExpectedFields } from "./requests.ts"

type CallRow = readonly [name: string, type: CallType, body: object, expected: ExpectedFields]

/** Defines one test for each row. Every row is a Pipelines call of user 5. */
export const callTable = (title: string, rows: ReadonlyArray<CallRow>) =>
  describe(title, () => {
    for (const [name, type, body, expected] of rows) {
      it(name, () => assertCall(type, { userId: "5", ...body }, expected))
    }
  })

/** A test case: its title, the body, the expected command, and the workspace if it is not the default one. */
export type BodyRow = readonly [name: string, body: object, expected: ExpectedFields, over?: Workspace]

/** Defines one test for each row. Every row is a Pipelines call of the given type. */
export const bodyTable = (title: string, type: CallType, rows: ReadonlyArray<BodyRow>) =>
  describe(title, () => {
    for (const [name, body, expected, over] of rows) it(name, () => assertCall(type, body, expected, over))
  })

const assertCall = (type: CallType, body: object, expected: ExpectedFields, over = workspace): void => {
  const decoded = decodeCall(requestContext({ open: () => over }), type, body)
  assert.isNull(decoded.refusal)
  assert.lengthOf(decoded.commands, 1)
  assertCommand(decoded.commands[0], expected)
}

/** Returns the fields of the command that records a rejected call. */
export const rejectedCall = (kind: ActivityKind, ...faults: ReadonlyArray<string>): ExpectedFields => ({
  _tag: "RejectOperation",
  kind,
  faults,
})

/** Builds a track call of user 5. */
export const trackCall = (rest: object = {}) => ({ type: "track", userId: "5", event: "a", ...rest })

/** Formats each command as one line: its batch index, its tag and its faults. */
export const commandLines = ({ commands }: Decoded) =>
  commands.map(({ _tag, batchIndex, faults }) => [batchIndex, _tag, ...faults.map(faultLine)].join(" "))
