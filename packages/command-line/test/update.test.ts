import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:http"
import { Installation, upgradeSteps, type Channel } from "../src/update/Installation.ts"
import { compareVersions, newestRelease, releaseWaitMsMax } from "../src/update/newestRelease.ts"

describe("the newest release", () => {
  it.effect("gives up if the page does not answer in time", () =>
    Effect.gen(function* () {
      const server = createServer()
      const asked = new Promise((resolve) => server.once("request", resolve))
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      const address = server.address()
      const port = typeof address === "object" ? address?.port : undefined
      const fiber = yield* Effect.forkChild(Effect.flip(newestRelease(`http://127.0.0.1:${port}/releases`)))
      yield* Effect.promise(() => asked)
      yield* TestClock.adjust(releaseWaitMsMax)
      expect((yield* Fiber.join(fiber)).problem).toBe("no answer within 10 seconds")
      server.close().closeAllConnections()
    }),
  )

  it("versions compare by their numbers", () => {
    const versions = ["1.10.0", "0.9.12", "1.9.3", "1.9.10"]
    expect(versions.toSorted(compareVersions)).toEqual(["0.9.12", "1.9.3", "1.9.10", "1.10.0"])
    expect(compareVersions("1.2.3", "1.2.3")).toBe(0)
  })
})

describe("how to upgrade", () => {
  it.effect("a program that says nothing else runs from a clone", () =>
    Effect.gen(function* () {
      expect(yield* Installation).toBe("clone")
    }),
  )

  it.each<[Channel, string]>([
    ["clone", "git checkout v1.2.3"],
    ["file", "of https://example.com/releases/tag/v1.2.3"],
    ["image", "INLET_IMAGE"],
    ["npm", "npm install --global @inlethq/cli@1.2.3"],
    ["npx", "npx @inlethq/cli@1.2.3 serve"],
  ])("names the steps of an installation by %s", (channel, step) => {
    expect(upgradeSteps(channel, "1.2.3", "https://example.com/releases").join("\n")).toContain(step)
  })
})
