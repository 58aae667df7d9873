import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { WrongSetting } from "@inlethq/http/listener/WrongSetting"
import { layer } from "../src/Settings.ts"

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
  ] as const)("the error for %s=%s is one line that names the variable", ([variable, value]) =>
    Effect.gen(function* () {
      const problem = yield* problemWith({ [variable]: value })
      assert.instanceOf(problem, WrongSetting)
      assert.include(problem.message, variable)
      assert.notInclude(problem.message, "\n")
    }),
  )
})
