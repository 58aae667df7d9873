import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { buildConsole } from "../src/console/buildConsole.ts"
import { root } from "../src/documents/documents.ts"
import { within } from "../src/eventually.ts"
import { send } from "../src/http.ts"
import { identify } from "../src/ingestion.ts"
import { Inlet, variablesFor } from "../src/Inlet.ts"
import { ReadOnlyImage } from "./ReadOnlyImage.ts"

beforeAll(async () => {
  await buildConsole()
  execFileSync(process.execPath, [join(root, "tools/build/packCommand.ts")])
})

it("the files of the image run below a read-only root as an unprivileged user, and pass the health check", async () => {
  const image = new ReadOnlyImage()
  const healthy = async (port: number) => {
    const check = image.launch(["/app/healthcheck.mjs"], { INLET_PORT: String(port) })
    return (await within("the health check ends", check.exit)).code
  }
  const server = image.launch(["/app/main.js", "serve"], variablesFor("/data"))
  const inlet = await Inlet.fromProcess(server, image.data)
  expect(await healthy(inlet.port)).toBe(0)
  expect((await identify(inlet, "ada", { plan: "pro" })).status).toBe(200)
  expect((await send(inlet.url, { method: "GET", path: "/console/" })).status).toBe(200)
  const write = image.launch(["-e", `require("node:fs").writeFileSync("/app/written", "")`])
  expect((await within("the program ends", write.exit)).code).toBe(1)
  expect(write.printed).toMatch(/EROFS/)
  expect(await inlet.stop()).toEqual({ code: 0, signal: null })
  expect(await healthy(inlet.port)).toBe(1)
})
