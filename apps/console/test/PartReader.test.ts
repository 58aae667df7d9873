import { describe, expect, it } from "vitest"
import { PartReader } from "../src/api/PartReader.ts"

const read = (...chunks: ReadonlyArray<string>) => {
  const parts: Array<readonly [string, string | undefined]> = []
  const reader = new PartReader((id, data) => parts.push([id, data]))
  for (const chunk of chunks) reader.add(chunk)
  return parts
}

describe("PartReader", () => {
  it("the reader of a stream returns its events and heartbeats", () => {
    expect(read('id: 7\ndata: {"a":1}\n\nid: 8\n: here\n\n')).toEqual([
      ["7", '{"a":1}'],
      ["8", undefined],
    ])
  })

  it("the reader of a stream returns an event that arrives in pieces", () => {
    expect(read("id: 7\nda", 'ta: {"a"', ":1}\n", "\nid: 8")).toEqual([["7", '{"a":1}']])
  })
})
