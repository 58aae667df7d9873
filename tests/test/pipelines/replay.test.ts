import { describe, expect, it } from "vitest"
import { Placeholders, replay, requests, type Request } from "../../src/pipelinesReplay.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { expectState } from "../../src/pipelinesState.ts"
import type { Answer } from "../../src/http.ts"

const source = await PipelinesSource.create()

const expectAnswer = (answer: Answer, { answer: kind, path }: Request): void => {
  if (kind === "settings") {
    const host = new URL(source.inlet.url).host
    const destination = { apiKey: source.writeKey, apiHost: `${host}/v1`, protocol: "http" }
    expect(answer.json).toMatchObject({ integrations: { "Customer.io Data Pipelines": destination } })
    return
  }
  expect(path).toMatch(/^\/v1\//)
  expect(answer.json).toEqual({ success: true })
}

describe("recorded requests of public Pipelines clients", () => {
  it("the replay file contains all 103 recorded requests", () => expect(requests).toHaveLength(103))

  for (const request of requests) {
    it.concurrent(`the server answers and applies the recorded request “${request.name}”`, async () => {
      const placeholders = new Placeholders(source)
      const answer = await replay(source, placeholders, request)
      expect(answer.status).toBe(request.status)
      expectAnswer(answer, request)
      for (const state of request.state) await expectState(source, placeholders.json(state), placeholders.now)
    })
  }
})
