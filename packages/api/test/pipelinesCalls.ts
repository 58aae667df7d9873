import { assert, describe, it } from "@effect/vitest"
import type { CallType } from "@inlet/api/pipelines/CallType"
import { decodeCall } from "@inlet/api/pipelines/decode"
import { assertCommand, requestContext, type ExpectedFields } from "./requests.ts"

type Row = readonly [name: string, type: CallType, body: object, expected: ExpectedFields]

/** Defines one test of a Pipelines call of user 5 for each row. */
export const callTable = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, type, body, expected] of rows) {
      it(name, () => {
        const decoded = decodeCall(requestContext(), type, { userId: "5", ...body })
        assert.isNull(decoded.refusal)
        assertCommand(decoded.commands[0], expected)
      })
    }
  })
