import { describe, expect, it } from "vitest"
import { CallBuffer, type Size } from "../src/delivery/CallBuffer.ts"
import { QueuedCall } from "../src/delivery/QueuedCall.ts"

const call = (name: string, bytes = 10) => new QueuedCall(name, { _tag: "Encoded", json: "{}", bytes }, 0)

const names = (calls: ReadonlyArray<QueuedCall>) => calls.map(({ messageId }) => messageId)

/** Returns an empty buffer. Programs must wait for room once the buffer is half full. */
const emptyBuffer = (max: Size): CallBuffer =>
  new CallBuffer(max, { calls: max.calls / 2, bytes: max.bytes / 2 })

const bufferOf = (length: number, bytes = 10): CallBuffer => {
  const buffer = emptyBuffer({ calls: 1000, bytes: 1_000_000 })
  for (let n = 0; n < length; n++) buffer.add(call(String(n), bytes))
  return buffer
}

describe("the call buffer", () => {
  it("the call buffer returns calls in the order in which they were added", () => {
    const buffer = bufferOf(5)
    expect(names(buffer.take({ calls: 2, bytes: 1000 }))).toEqual(["0", "1"])
    buffer.add(call("5"))
    expect(names(buffer.take({ calls: 9, bytes: 1000 }))).toEqual(["2", "3", "4", "5"])
    expect(buffer.take({ calls: 9, bytes: 1000 })).toEqual([])
  })

  it("the call buffer returns as many calls for a batch as fit, together with their separators, into the bytes of the batch", () => {
    expect(names(bufferOf(5).take({ calls: 9, bytes: 33 }))).toEqual(["0", "1", "2"])
    expect(names(bufferOf(5).take({ calls: 9, bytes: 32 }))).toEqual(["0", "1"])
  })

  it("the call buffer returns a call that exceeds the size limit of a batch as a batch of its own", () => {
    expect(names(bufferOf(3, 100).take({ calls: 9, bytes: 50 }))).toEqual(["0"])
  })

  it("the call buffer is full when it has reached its limit of calls or of bytes", () => {
    const few = emptyBuffer({ calls: 2, bytes: 1000 })
    expect([few.add(call("a")), few.add(call("b")), few.add(call("c"))]).toEqual([true, true, false])
    const small = emptyBuffer({ calls: 10, bytes: 25 })
    expect([small.add(call("a")), small.add(call("b")), small.add(call("c"))]).toEqual([true, true, false])
    small.take({ calls: 1, bytes: 1000 })
    expect(small.add(call("c"))).toBe(true)
  })

  it("the call buffer has room for more calls until it reaches the size at which programs pause", async () => {
    const buffer = emptyBuffer({ calls: 4, bytes: 1000 })
    buffer.add(call("a"))
    expect(buffer.room()).toBeUndefined()
    buffer.add(call("b"))
    const room = buffer.room()
    expect(room).toBe(buffer.room())
    buffer.take({ calls: 1, bytes: 1000 })
    await expect(room).resolves.toBeUndefined()
    expect(buffer.room()).toBeUndefined()
  })

  it("the call buffer returns a batch once it has enough calls or enough bytes", () => {
    expect(bufferOf(2).fills({ calls: 2, bytes: 1000 })).toBe(true)
    expect(bufferOf(2).fills({ calls: 3, bytes: 22 })).toBe(true)
    expect(bufferOf(2).fills({ calls: 3, bytes: 23 })).toBe(false)
  })
})
