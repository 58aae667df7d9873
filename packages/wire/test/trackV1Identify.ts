import { describe, it } from "@effect/vitest"
import { decodeIdentify } from "../src/track-v1/people.ts"
import { assertDecoded, receipt, type Expected, type workspace } from "./requests.ts"

export type Row = readonly [
  name: string,
  identifier: string,
  body: unknown,
  expected: Expected,
  over?: typeof workspace,
]

/** Defines one test for each row. Every row is a Track v1 identify. */
export const identifyTable = (title: string, rows: ReadonlyArray<Row>) =>
  describe(title, () => {
    for (const [name, identifier, body, expected, over] of rows) {
      it(name, () => assertDecoded(decodeIdentify(receipt("track-v1", over), identifier, body), expected))
    }
  })
