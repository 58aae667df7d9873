import { assert, describe, it } from "@effect/vitest"
import type { CallType } from "@inlet/api/pipelines/CallType"
import { decodeCall } from "@inlet/api/pipelines/decode"
import type { Decoded } from "@inlet/api/pipelines/RequestContext"
import { assertCommand, faultLine, requestContext, type ExpectedFields } from "./requests.ts"

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

/** Builds a track call of user 5. */
export const trackCall = (rest: object = {}) => ({ type: "track", userId: "5", event: "a", ...rest })

/** Formats each command as one line: its batch index, its tag and its faults. */
export const commandLines = ({ commands }: Decoded) =>
  commands.map(({ _tag, batchIndex, faults }) => [batchIndex, _tag, ...faults.map(faultLine)].join(" "))
