import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { read } from "../../src/Management.ts"
import { newestPosition, summarized } from "../../src/summarized.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const Drift = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      change: Schema.String,
      path: Schema.NullOr(Schema.String),
      operation_id: Schema.String,
      sender: Schema.Struct({ user_agent: Schema.String }),
    }),
  ),
})

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

const commandLineOf = (tenant: Tenant): CommandLine =>
  new CommandLine({
    INLET_URL: sharedServer.url,
    INLET_MANAGEMENT_TOKEN: credentials.token,
    INLET_WORKSPACE: String(tenant.workspace),
  })

/** Sends an event of one of some people, as a client of some version. */
const send = (tenant: Tenant, person: number, name: string, data: object, version = "1.0") =>
  tenant.track(
    "POST",
    "/api/v2/entity",
    {
      type: "person",
      identifiers: { id: `person ${person}` },
      action: "event",
      name,
      attributes: data,
    },
    { "user-agent": `shop/${version}` },
  )

const orders = Array.from({ length: 24 }, (_, person) => ({
  total: person / 2,
  currency: person % 2 === 0 ? "EUR" : "USD",
  items: [{ sku: `sku ${person}`, amount: 1 }],
  ...(person % 3 === 0 && { coupon: person % 2 === 0 ? null : `coupon ${person}` }),
}))

const sendOrders = async (tenant: Tenant) => {
  for (const [person, data] of orders.entries()) await send(tenant, person, "Order Placed", data)
}

/** Compiles a program that imports a generated file. Returns what the compiler says. */
const compiled = async (types: string, program: string): Promise<string> => {
  const folder = freshDirectory()
  writeFileSync(join(folder, "events.ts"), types)
  writeFileSync(join(folder, "program.ts"), program)
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      files: ["program.ts"],
      compilerOptions: {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        module: "nodenext",
        target: "es2023",
        allowImportingTsExtensions: true,
        exactOptionalPropertyTypes: true,
        typeRoots: [at("node_modules/@types")],
        types: ["node"],
        paths: { "@inlethq/sdk": [at("packages/sdk/src/Inlet.ts")] },
      },
    }),
  )
  const compiler = join(createRequire(at("package.json")).resolve("typescript/package.json"), "../bin/tsc")
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, "--project", folder])
    return stdout
  } catch (failure) {
    return String((failure as { readonly stdout: string }).stdout)
  }
}

const programWith = (properties: string): string => `
import { Inlet } from "@inlethq/sdk"
import type { Events } from "./events.ts"
const inlet = new Inlet<Events>({ url: "http://127.0.0.1:1", writeKey: "key" })
inlet.track({ userId: "ada", event: "Order Placed", properties: ${properties} })
`

describe("inlet types", () => {
  it("types that were generated from events accept them, and refuse a wrong property in the SDK", async () => {
    const tenant = await Tenant.create()
    const inlet = commandLineOf(tenant)
    await sendOrders(tenant)
    await summarized(tenant)
    const types = (await inlet.lines("types", "generate")).join("\n")
    expect(types).toContain('"Order Placed": {')
    expect(types).toContain('currency: "EUR" | "USD"')
    expect(types).toContain("coupon?: null | string")
    expect(types).not.toContain("coupon 3")
    const accepted = orders.map((data) => programWith(JSON.stringify(data))).slice(0, 4)
    for (const program of accepted) expect(await compiled(types, program)).toBe("")
    expect(await compiled(types, programWith('{ total: "3", currency: "EUR", items: [] }'))).toContain(
      "TS2322",
    )
    expect(await compiled(types, programWith('{ total: 3, currency: "GBP", items: [] }'))).toContain("TS2322")
    expect(await compiled(types, programWith('{ currency: "EUR", items: [] }'))).toContain(
      "'total' is missing",
    )

    const schema = JSON.parse((await inlet.lines("types", "generate", "--lang", "json-schema")).join("\n"))
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(
      schema.properties.event.properties["Order Placed"],
    )
    for (const data of orders) expect([accepts(data), accepts.errors]).toEqual([true, null])
    expect(accepts({ ...orders[0], total: "3" })).toBe(false)
  })

  it("shows what another client version sends otherwise, and check finds it", async () => {
    const tenant = await Tenant.create()
    const inlet = commandLineOf(tenant)
    await sendOrders(tenant)
    await summarized(tenant)
    const baseline = join(freshDirectory(), "types.json")
    writeFileSync(baseline, (await inlet.lines("types", "generate", "--lang", "json-schema")).join("\n"))
    expect((await inlet.run(["types", "check", "--baseline", baseline])).code).toBe(0)
    const position = await newestPosition(tenant)
    for (const person of [0, 1, 2]) {
      await send(tenant, person, "Order Placed", { total: "3.5", items: [], discount: 1 }, "2.0")
      await send(tenant, person, "order placed", { total: 1 }, "2.0")
    }
    await summarized(tenant)
    const { items } = read(Drift, await inlet.json("types", "drift", "--since", String(position)))
    const changes = items.map(({ change, path, sender }) => [change, path, sender.user_agent])
    expect(changes.toSorted()).toEqual(
      [
        ["new_name", null, "shop/2.0"],
        ["new_path", "discount", "shop/2.0"],
        ["presence_fell", "currency", "shop/2.0"],
        ["similar_name", null, "shop/2.0"],
        ["widened_type", "total", "shop/2.0"],
      ].toSorted(),
    )
    const first = items.find(({ change }) => change === "widened_type")
    expect((await inlet.lines("why", first?.operation_id ?? "")).join("\n")).toContain("Order Placed")
    const checked = await inlet.run(["types", "check", "--baseline", baseline])
    expect(checked.code).toBe(1)
    expect(
      checked.stdout
        .split("\n")
        .filter((line) => line !== "")
        .toSorted(),
    ).toEqual([
      "event Order Placed: total is string, and was number",
      "event order placed is not in the baseline",
    ])
  })

  it("lists names with their counts, and shows the shape of one", async () => {
    const tenant = await Tenant.create()
    const inlet = commandLineOf(tenant)
    await sendOrders(tenant)
    await tenant.identify("person 1", { plan: "pro" })
    await tenant.identify("person 2", { plan: "free" })
    await summarized(tenant)
    const lines = await inlet.lines("types")
    expect(lines.map((line) => line.split("\t").slice(0, 3))).toEqual([
      ["event", "Order Placed", "24"],
      ["person", "attributes", "2"],
    ])
    const shown = (await inlet.lines("types", "show", "Order Placed")).join("\n")
    expect(shown).toContain("items[].sku")
    expect((await inlet.run(["types", "show", "Nothing"])).code).toBe(1)
    const wrong = await inlet.run(["types", "check", "--baseline", "-"], "no JSON")
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("is no baseline")])
  })
})
