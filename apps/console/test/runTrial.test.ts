import { afterEach, describe, expect, it, vi } from "vitest"
import { runTrial, type TrialState } from "../src/shared/dialogs/runTrial.ts"

type Answer = (method: string, path: string) => Promise<Response>

/** Answers requests, and keeps what was asked. */
const answering = (answer: Answer) => {
  const asked: Array<string> = []
  vi.stubGlobal("fetch", (path: string, { keepalive, method }: RequestInit) => {
    asked.push(`${method} ${path.slice(path.lastIndexOf("what-if"))}${keepalive === true ? " kept" : ""}`)
    return answer(String(method), path)
  })
  return asked
}

const running = () => Promise.resolve(Response.json({ status: "running", what_if_id: "t1" }))
const change = { rule: { rule: {} } }

afterEach(() => vi.unstubAllGlobals())

describe("a trial", () => {
  it("is stopped at once when its page is left, in a request that outlives the page", async () => {
    const asked = answering(running)
    const left = new AbortController()
    const { promise: isRunning, resolve } = Promise.withResolvers<void>()
    const trial = runTrial("1", change, left.signal, () => resolve())
    await isRunning
    left.abort()
    expect(asked).toEqual(["POST what-if", "POST what-if/t1/stop kept"])
    await trial
    expect(asked).toHaveLength(2)
  })

  it("is stopped when its page is left before the trial has begun", async () => {
    const begun = Promise.withResolvers<Response>()
    const asked = answering((_, path) => (path.endsWith("what-if") ? begun.promise : running()))
    const left = new AbortController()
    const trial = runTrial("1", change, left.signal, () => undefined)
    left.abort()
    begun.resolve(await running())
    await trial
    expect(asked).toEqual(["POST what-if", "POST what-if/t1/stop kept"])
  })

  it("is stopped when nobody can follow it any more", async () => {
    const asked = answering((method) => (method === "GET" ? Promise.reject(new Error("gone")) : running()))
    const states: Array<TrialState["is"]> = []
    await runTrial("1", change, new AbortController().signal, ({ is }) => states.push(is))
    expect(states).toEqual(["found", "failed"])
    expect(asked).toEqual(["POST what-if", "GET what-if/t1", "POST what-if/t1/stop kept"])
  })
})
