import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, Redacted } from "effect"
import { execFileSync } from "node:child_process"
import * as Settings from "../src/Settings.ts"
import { welcomeLines, type Started } from "../src/Welcome.ts"

const variables = [
  "INLET_URL",
  "INLET_INGESTION_URL",
  "INLET_SITE_ID",
  "INLET_API_KEY",
  "INLET_WRITE_KEY",
  "INLET_MANAGEMENT_TOKEN",
]

/** Runs the printed `export` line in a shell. Returns the values that the variables then have. */
const exported = (lines: ReadonlyArray<string>) => {
  const line = lines.find((text) => text.includes("export ")) ?? ""
  const echo = variables.map((name) => `printf '%s\\n' "$${name}"`).join("; ")
  return execFileSync("/bin/sh", ["-c", `${line}; ${echo}`], { encoding: "utf8", env: {} })
    .trimEnd()
    .split("\n")
}

const started = (operatorUrl: string, credential: string): Started => ({
  url: new URL("http://127.0.0.1:8080"),
  operatorUrl: new URL(operatorUrl),
  credentials: Option.some({ siteId: credential, apiKey: credential, writeKey: credential }),
  token: {
    digest: "",
    value: Option.some(Redacted.make(credential)),
    mustBePrinted: false,
    file: Option.none(),
  },
  signInUrl: Option.none(),
})

const settings = Layer.provide(Settings.layer, ConfigProvider.layer(ConfigProvider.fromEnv({ env: {} })))

describe("the printed export line", () => {
  it.effect("the printed export line quotes credentials with characters that are special in shells", () =>
    Effect.gen(function* () {
      const credential = `a'b"c$(d)&e;f\\g*`
      const lines = welcomeLines(started("http://127.0.0.1:8080", credential), yield* Settings.Settings)
      const credentials = [credential, credential, credential, credential]
      assert.deepStrictEqual(exported(lines), ["http://127.0.0.1:8080", "", ...credentials])
    }).pipe(Effect.provide(settings)),
  )

  it.effect("the printed export line sets both addresses if operators have a separate address", () =>
    Effect.gen(function* () {
      const lines = welcomeLines(started("http://127.0.0.1:9090", "key"), yield* Settings.Settings)
      const addresses = ["http://127.0.0.1:9090", "http://127.0.0.1:8080"]
      assert.deepStrictEqual(exported(lines), [...addresses, "key", "key", "key", "key"])
    }).pipe(Effect.provide(settings)),
  )
})

describe("the first start", () => {
  it.effect("says what it costs to keep all events, and how to keep them for a year", () =>
    Effect.gen(function* () {
      const text = welcomeLines(started("http://127.0.0.1:8080", "key"), yield* Settings.Settings).join("\n")
      assert.match(text, /a million a day take about 0\.3 GB a day, or 103 GB a year/)
      assert.include(text, "inlet workspaces update 1 --retention-days 365")
    }).pipe(Effect.provide(settings)),
  )
})
