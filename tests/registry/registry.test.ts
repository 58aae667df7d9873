import { globSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { describe, expect, inject, it } from "vitest"
import { eventually } from "../src/eventually.ts"
import { send } from "../src/http.ts"
import { identify } from "../src/ingestion.ts"
import { Inlet, variablesFor } from "../src/Inlet.ts"
import { Management } from "../src/Management.ts"
import { Stranger } from "./Stranger.ts"

/** A program with the emulator of `@inlethq/testing` and the SDK. */
const emulated = `import { createInlet } from "@inlethq/testing"
import { Inlet } from "@inlethq/sdk"
const server = await createInlet()
const inlet = new Inlet({ url: server.url, writeKey: server.writeKey })
const { status } = await inlet.identify({ userId: "ada", traits: { plan: "pro" } }).outcome()
await inlet.close()
const person = await server.expectPerson({ id: "ada" }, { attributes: { plan: "pro" } })
await server.close()
console.log(status, person.id)`

/** Starts the server as a stranger does, sends the first call, and stops it. Returns the seconds until the call was answered. */
const tryServe = async (stranger: Stranger): Promise<number> => {
  const data = join(stranger.folder, "data")
  const began = performance.now()
  const process = stranger.serve(variablesFor(data))
  const inlet = await Inlet.fromProcess(process, data)
  expect((await identify(inlet, "ada", { plan: "pro" })).status).toBe(200)
  const seconds = (performance.now() - began) / 1000
  expect((await new Management(inlet).person({ id: "ada" })).attributes).toMatchObject({ plan: "pro" })
  expect((await send(inlet.url, { method: "GET", path: "/console/" })).status).toBe(200)
  await stopGroup(process.child.pid)
  await process.exit
  // npx dies of the signal at once, so only the port shows that the server has ended.
  await eventually("the server has stopped", () =>
    inlet.readiness().then(
      () => undefined,
      () => true,
    ),
  )
  return seconds
}

const stopGroup = async (pid: number | undefined): Promise<void> => {
  if (pid === undefined) throw new Error("npx did not start")
  process.kill(-pid, "SIGTERM")
}

const nodes = inject("nodes")

describe.each(nodes.map((node) => [node]))("with the Node in %s", (node) => {
  const stranger = () => new Stranger(node, inject("registry"))

  it("npx @inlethq/cli serve needs one package, and serves ingestion and the console", async () => {
    const one = stranger()
    const cold = await tryServe(one)
    const [folder = ""] = globSync(join(one.home, ".npm/_npx/*"))
    expect(one.installed(folder)).toEqual(["@inlethq/cli"])
    const warm = await tryServe(one)
    const version = (await one.run("node", "--version")).trim()
    console.log(`npx with Node ${version}: ${cold.toFixed(1)} s cold, ${warm.toFixed(1)} s warm`)
  })

  it("the SDK installs without dependencies, and can be imported and required", async () => {
    const one = stranger()
    await one.run("npm", "install", "@inlethq/sdk")
    expect(one.installed()).toEqual(["@inlethq/sdk"])
    const imported = await one.runModule(`import { Inlet } from "@inlethq/sdk"\nconsole.log(typeof Inlet)`)
    expect(imported.trim()).toBe("function")
    const required = await one.run("node", "-p", `typeof require("@inlethq/sdk").Inlet`)
    expect(required.trim()).toBe("function")
  })

  it("the command line installs by name without dependencies", async () => {
    const one = stranger()
    await one.run("npm", "install", "@inlethq/cli")
    expect(one.installed()).toEqual(["@inlethq/cli"])
    expect((await one.run("npx", "inlet", "--version")).trim()).toMatch(/^inlet v[\d.]+$/)
  })
})

it("the emulator installs with what it needs, and takes calls of the SDK on every Node", async () => {
  const [first = ""] = nodes
  const one = new Stranger(first, inject("registry")).withOthers(inject("registry"))
  await one.run("npm", "install", "--no-audit", "--no-fund", "@inlethq/testing", "@inlethq/sdk")
  for (const node of nodes) {
    const printed = await one.runModule(emulated, join(node, "node"))
    expect(printed.trim(), node).toBe("created ada")
  }
})
