import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer, Option } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { WrongSetting } from "@inlethq/http/listener/WrongSetting"
import { layer, Settings } from "../src/Settings.ts"

/** Reads the settings from these environment variables, and returns the error. */
const problemWith = (env: Readonly<Record<string, string>>) =>
  Effect.flip(Effect.scoped(Layer.build(layer))).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
  )

describe("an invalid setting", () => {
  it.effect.each([
    ["INLET_PORT", "eighty"],
    ["INLET_PORT", "70000"],
    ["INLET_PORT", "-1"],
    ["INLET_PORT", "80.5"],
    ["INLET_STORE", "mongodb"],
    ["INLET_SCRUB", "sometimes"],
    ["INLET_OUTCOMES", "some"],
    ["INLET_REGION", "mars"],
    ["INLET_BRAND", "acme"],
    ["INLET_LOG", "loud"],
    ["INLET_PEER_URL", "not an address"],
    ["INLET_PUBLIC_URL", "not an address"],
    ["INLET_MANAGEMENT_TOKEN", "a"],
    ["INLET_MANAGEMENT_TOKEN", "nineteen-characters"],
    ["INLET_WEBHOOK_ALLOW", "10.0.0.0/33"],
    ["INLET_TRUSTED_PROXIES", "10.0.0.0/33"],
    ["INLET_TRUSTED_PROXIES", "proxy.example.com"],
    ["INLET_KAFKA", "kafka1"],
    ["INLET_KAFKA", "kafka1:9092,"],
    ["INLET_KAFKA", "kafka1:0"],
    ["INLET_KAFKA", "http://kafka1:9092"],
    ["INLET_KAFKA_TLS", "yes"],
    ["INLET_KAFKA_TLS", "on"],
    ["INLET_KAFKA_SASL", "kerberos"],
    ["INLET_KAFKA_SASL", "plain"],
    ["INLET_KAFKA_USERNAME", "inlet"],
    ["INLET_KAFKA_PASSWORD", "secret"],
    ["INLET_OPERATOR_URL", "not an address"],
    ["INLET_CONSOLE_TOKENS", "some"],
    ["INLET_CONSOLE_TOKENS", "off"],
  ] as const)("the error for %s=%s is one line that names the variable", ([variable, value]) =>
    Effect.gen(function* () {
      const problem = yield* problemWith({ [variable]: value })
      assert.instanceOf(problem, WrongSetting)
      assert.include(problem.message, variable)
      assert.notInclude(problem.message, "\n")
    }),
  )
})

const access = JSON.stringify({ claim: "groups", rules: [{ value: "admins", scope: "admin" }] })
const complete = {
  INLET_OIDC_ISSUER: "https://issuer.example/realms/inlet",
  INLET_OIDC_CLIENT_ID: "inlet",
  INLET_OIDC_CLIENT_SECRET: "secret",
  INLET_OIDC_ACCESS: access,
  INLET_PUBLIC_URL: "https://inlet.example",
}
const settingsWith = (env: Readonly<Record<string, string>>) =>
  Effect.scoped(Effect.map(Layer.build(layer), (context) => Context.get(context, Settings))).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
  )

/** Returns the address of the console in the settings. */
const consoleUrl = (env: Readonly<Record<string, string>>) =>
  Effect.map(settingsWith({ ...complete, ...env }), ({ oidc }) =>
    Option.getOrNull(Option.map(oidc, (found) => found.consoleUrl.href)),
  )

describe("settings for signing in with OpenID Connect", () => {
  it.effect("the address of the console is the public one, or that of operators where there are two", () =>
    Effect.gen(function* () {
      const operator = { INLET_OPERATOR_URL: "https://operators.example" }
      assert.strictEqual(yield* consoleUrl({}), "https://inlet.example/")
      assert.strictEqual(yield* consoleUrl(operator), "https://operators.example/")
      const two = { ...operator, INLET_OPERATOR_PORT: "9090" }
      assert.strictEqual(yield* consoleUrl(two), "https://operators.example/")
      assert.strictEqual(
        yield* consoleUrl({ INLET_PUBLIC_URL: "http://localhost:8080" }),
        "http://localhost:8080/",
      )
    }),
  )

  it.effect("each value can be in a file", () =>
    Effect.gen(function* () {
      const folder = mkdtempSync(join(tmpdir(), "inlet-settings-"))
      const file = join(folder, "access.json")
      writeFileSync(file, `${access}\n`)
      const { INLET_OIDC_ACCESS: _, ...others } = complete
      const { oidc } = yield* settingsWith({ ...others, INLET_OIDC_ACCESS_FILE: file })
      rmSync(folder, { recursive: true })
      assert.deepStrictEqual(Option.getOrNull(Option.map(oidc, (found) => found.access.rules)), [
        { value: "admins", scope: "admin" },
      ])
    }),
  )

  it.effect.each([
    ["INLET_OIDC_ISSUER", {}],
    ["INLET_OIDC_ISSUER", { INLET_OIDC_ISSUER: "http://issuer.example" }],
    ["INLET_OIDC_ISSUER", { INLET_OIDC_ISSUER: "https://issuer.example/?a=b" }],
    ["INLET_OIDC_CLIENT_ID", {}],
    ["INLET_OIDC_CLIENT_SECRET", {}],
    ["INLET_OIDC_CLIENT_SECRET_FILE", { INLET_OIDC_CLIENT_SECRET_FILE: "/nonexistent" }],
    ["INLET_OIDC_ACCESS", {}],
    ["INLET_OIDC_ACCESS", { INLET_OIDC_ACCESS: "admins" }],
    [
      "INLET_OIDC_ACCESS",
      { INLET_OIDC_ACCESS: '{"claim":"groups","rules":[{"value":"a","scope":"owner"}]}' },
    ],
    ["INLET_OIDC_ACCESS", { INLET_OIDC_ACCESS: '{"claim":"groups","rules":[],"rule":1}' }],
    ["INLET_PUBLIC_URL", {}],
    ["INLET_PUBLIC_URL", { INLET_PUBLIC_URL: "http://inlet.example" }],
    ["INLET_OPERATOR_URL", { INLET_PUBLIC_URL: "https://inlet.example", INLET_OPERATOR_PORT: "9090" }],
  ] as const)("%s is named in one line if it is missing or wrong (%#)", ([variable, changed]) =>
    Effect.gen(function* () {
      const name = variable.replace(/_FILE$/, "")
      const others = Object.entries(complete).filter(([key]) => key !== name)
      const problem = yield* problemWith({ ...Object.fromEntries(others), ...changed })
      assert.instanceOf(problem, WrongSetting)
      assert.match(problem.message, new RegExp(`^${variable} `))
      assert.notInclude(problem.message, "\n")
    }),
  )
})
