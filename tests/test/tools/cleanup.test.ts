import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { eventually } from "../../src/eventually.ts"
import { fresh } from "../../src/fresh.ts"
import { Inlet } from "../../src/Inlet.ts"
import { launch, launchAs } from "../../src/Launched.ts"
import { freshDirectory, stillRunning } from "../../src/cleanup.ts"

const starter = fileURLToPath(new URL("../../src/startAndWait.ts", import.meta.url))

describe("a process that runs tests", () => {
  it.concurrent.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
    "leaves no server and no data directory when it is ended by %s",
    async (signal) => {
      const run = fresh("run")
      const runner = launch({ INLET_TEST_RUN: run }, starter)
      const dataDir = await eventually("the server prints its data directory", () => {
        if (runner.exited !== undefined) throw new Error(runner.output.join("\n"))
        return runner.lines()[0]
      })
      expect(existsSync(dataDir)).toBe(true)
      expect(stillRunning(run)).toEqual([expect.stringContaining("server")])
      await runner.signal(signal)
      await eventually("no server is running", () => (stillRunning(run).length === 0 ? true : undefined))
      await eventually("the data directory is removed", () => (existsSync(dataDir) ? undefined : true))
    },
  )
})

describe("a server that does not become ready", () => {
  it("Inlet.fromProcess kills a server that does not become ready", async () => {
    const script = `console.log("listening on http://127.0.0.1:1"); setInterval(() => {}, 1000)`
    const hanging = launchAs([process.execPath, "-e", script], {})
    await expect(Inlet.fromProcess(hanging, freshDirectory())).rejects.toThrow("ECONNREFUSED")
    expect(hanging.exited).toEqual({ code: null, signal: "SIGKILL" })
  })
})
