import { describe, expect, it } from "vitest"
import { partText, StreamReader, type StreamPart } from "../src/values/StreamPart.ts"

const read = (...pieces: ReadonlyArray<string>): ReadonlyArray<StreamPart> => {
  const reader = new StreamReader()
  return pieces.flatMap((piece) => reader.add(piece))
}

const sent: ReadonlyArray<StreamPart> = [
  { id: "7", data: '{"a":1}' },
  { id: "8", data: null },
  { id: "9", data: '{"text":": id\\n"}' },
]

describe("a stream of activity", () => {
  it("is read as it was written, events and heartbeats with their ids", () => {
    expect(read(sent.map(partText).join(""))).toEqual(sent)
  })

  it("is read the same however its text is cut", () => {
    const text = sent.map(partText).join("")
    for (let at = 0; at <= text.length; at++) {
      expect(read(text.slice(0, at), text.slice(at))).toEqual(sent)
    }
    expect(read(...text)).toEqual(sent)
  })

  it("accepts other line ends, several lines of data and fields of no meaning", () => {
    expect(read("event: entry\r\nid:7\r\ndata:a\r\ndata:  b\r\nretry\r\n\r\nid: 8\ndata: c")).toEqual([
      { id: "7", data: "a\n b" },
    ])
  })

  it("returns nothing for empty lines", () => {
    expect(read("\n\n\n: here\n\n")).toEqual([])
  })
})
