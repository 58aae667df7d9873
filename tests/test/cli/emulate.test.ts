import { Schema } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { eventually, within } from "../../src/eventually.ts"
import { Launched } from "../../src/Launched.ts"

const Printed = Schema.fromJsonString(
  Schema.Struct({
    url: Schema.String,
    siteId: Schema.String,
    apiKey: Schema.String,
    writeKey: Schema.String,
    managementToken: Schema.String,
  }),
)

it.each(["SIGINT", "SIGTERM"] as const)(
  "inlet emulate prints one line with an address and keys that clients can use, and exits with code 0 on %s",
  async (signal) => {
    const command = new Launched(new CommandLine({}).start(["emulate"]))
    const line = await eventually("the emulator prints its address", () => command.lines()[0])
    const { apiKey, managementToken, siteId, url, writeKey } = Schema.decodeUnknownSync(Printed)(line)
    const variables = { INLET_URL: url, INLET_MANAGEMENT_TOKEN: managementToken }
    const inlet = new CommandLine({
      ...variables,
      INLET_WRITE_KEY: writeKey,
      INLET_SITE_ID: siteId,
      INLET_API_KEY: apiKey,
    })
    await inlet.lines("send", "identify", "ada", "plan=pro")
    await inlet.lines("people", "suppress", "eve")
    expect(await inlet.json("people", "get", "ada")).toMatchObject({ attributes: { plan: "pro" } })
    expect(await within("the emulator stops", command.signal(signal))).toEqual({ code: 0, signal: null })
    expect(command.lines()).toEqual([line])
  },
)

it("inlet emulate applies the calls of a seed before it prints its address", async () => {
  const seed = join(freshDirectory(), "seed.ndjson")
  const calls = [
    { type: "identify", userId: "ada", traits: { plan: "pro" } },
    { type: "track", userId: "ada", event: "Paid" },
  ]
  writeFileSync(seed, `${calls.map((call) => JSON.stringify(call)).join("\n")}\n`)
  const command = new Launched(new CommandLine({}).start(["emulate", "--seed", seed]))
  const line = await eventually("the emulator prints its address", () => command.lines()[0])
  const { managementToken, url } = Schema.decodeUnknownSync(Printed)(line)
  const inlet = new CommandLine({ INLET_URL: url, INLET_MANAGEMENT_TOKEN: managementToken })
  expect(await inlet.json("people", "get", "ada")).toMatchObject({ attributes: { plan: "pro" } })
  await within("the emulator stops", command.signal("SIGTERM"))
  writeFileSync(seed, '\n{"type":"purchase"}\n')
  const refused = await new CommandLine({}).run(["emulate", "--seed", seed])
  expect(refused).toMatchObject({ code: 2, stdout: "" })
  expect(refused.stderr).toMatch(
    new RegExp(
      `^inlet: line 2 of ${seed} is not a call of the Pipelines API: Expected "identify" .*\\["type"\\]\\n$`,
    ),
  )
  writeFileSync(seed, '{"type":"track","userId":"ada"}\n')
  expect(await new CommandLine({}).run(["emulate", "--seed", seed])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "inlet: the emulator cannot start: call 1 of the seed is rejected: event: event name must not be blank\n",
  })
})

it("inlet emulate fails if another server listens on its port", async () => {
  const first = new Launched(new CommandLine({}).start(["emulate"]))
  const line = await eventually("the emulator prints its address", () => first.lines()[0])
  const { port } = new URL(Schema.decodeUnknownSync(Printed)(line).url)
  const second = await new CommandLine({}).run(["emulate", "--port", port])
  expect(second).toEqual({
    code: 1,
    stdout: "",
    stderr: `inlet: the emulator cannot start on port ${port}, choose another --port: EADDRINUSE\n`,
  })
})
