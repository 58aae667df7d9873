import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInlet } from "@inlethq/testing"
import { expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials, Inlet } from "../../src/Inlet.ts"
import { Tenant } from "../../src/Tenant.ts"

const server = await Inlet.start({})

const personal = [
  "lovelace",
  "Lovelace",
  "ada.b",
  "analytical",
  "0781234567",
  "hunter2",
  "1815-12-10",
  "secret city",
]

it("types §3 capsules: a decision is decided again by the command and the emulator, and no personal value stands in it", async () => {
  const tenant = await Tenant.create({}, server)
  const inlet = new CommandLine({
    INLET_URL: server.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })
  await tenant.identify("ada.byron", {
    email: "lovelace@analytical.example",
    phone: "0781234567",
    born: "1815-12-10",
    city: "secret city",
  })
  await tenant.recordEvent("ada.byron", {
    name: "bought",
    data: { password: "hunter2", items: [{ to: "Lovelace" }] },
  })
  const changed = await tenant.identify("ada.byron", { email: "ada.b@analytical.example", plan: "hunter2" })
  const operations = await tenant.activity({})
  const refused = await tenant.operation(changed)
  expect(refused.outcome).toBe("partial")
  const emulator = await createInlet()
  for (const { operation_id } of operations) {
    const capsule = await inlet.json("capsule", operation_id)
    const text = JSON.stringify(capsule)
    for (const value of personal) expect(text).not.toContain(value)
    expect(emulator.decide(capsule)).toMatchObject({ same: true })
    const file = join(freshDirectory(), "capsule.json")
    writeFileSync(file, text)
    expect((await inlet.run(["capsule", "run", file])).code).toBe(0)
  }
  expect(JSON.stringify(await inlet.json("capsule", operations.at(-2)?.operation_id ?? ""))).toContain(
    "bought",
  )
  const capsule = await inlet.json("capsule", refused.operation_id)
  expect(emulator.decide(capsule).decided).toEqual({
    outcome: "partial",
    rule: refused.rule,
    codes: ["fixed_identifier"],
    refused: [{ path: "email", code: "fixed_identifier" }],
  })
  const older: unknown = JSON.parse(JSON.stringify(capsule), (name, value: unknown) =>
    ["alerts", "unknownEvents", "recordsMax"].includes(name) ? undefined : value,
  )
  expect(emulator.decide(older)).toMatchObject({ same: true })
  const file = join(freshDirectory(), "other.json")
  writeFileSync(file, JSON.stringify(capsule).replace('"outcome":"partial"', '"outcome":"applied"'))
  const differs = await inlet.run(["capsule", "run", file])
  expect([differs.code, differs.stdout.split("\n")[0]]).toEqual([
    1,
    `decided   partial (${refused.rule ?? ""}, fixed_identifier)`,
  ])
  await emulator.close()
})
