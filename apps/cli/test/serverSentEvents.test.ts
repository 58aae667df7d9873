import { assert, it } from "@effect/vitest"
import { noFields, readLine, type PartialPart, type StreamPart } from "../src/tail/serverSentEvents.ts"

const parts = (...lines: ReadonlyArray<string>): ReadonlyArray<StreamPart> => {
  let fields: PartialPart = noFields
  return lines.flatMap((line) => {
    const [next, complete] = readLine(fields, line)
    fields = next
    return complete
  })
}

it("a stream of server-sent events is read as events and heartbeats with their ids", () =>
  assert.deepStrictEqual(parts("id: op1", ": here", "", "id: op2", 'data: {"a":1}', "", ""), [
    { id: "op1", data: null },
    { id: "op2", data: '{"a":1}' },
  ]))

it("several data lines of a server-sent event form one value, and all other fields and unfinished events are ignored", () =>
  assert.deepStrictEqual(
    parts("event: entry", "id:op1", "data:a", "data:  b", "retry", "", "id: op2", "data: c"),
    [{ id: "op1", data: "a\n b" }],
  ))
