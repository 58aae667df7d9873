import { readFileSync } from "node:fs"
import { AccessRules } from "@inlethq/contract/access/AccessRules"
import type { HttpSettings, OidcSettings } from "@inlethq/http/HttpSettings"
import { WrongSetting } from "@inlethq/http/listener/WrongSetting"
import { Effect, Option, Redacted, Result, Schema } from "effect"
import { HttpUrl, onOrOff, variable } from "./readVariable.ts"

const decodeRules = Schema.decodeUnknownResult(Schema.fromJsonString(AccessRules), {
  errors: "first",
  onExcessProperty: "error",
})

/** Reads a variable, or the file that the variable with `_FILE` at its end names. */
const variableOrFile = Effect.fnUntraced(function* (name: string, expected: string) {
  const given = yield* variable(name, Schema.String, expected)
  const file = yield* variable(`${name}_FILE`, Schema.String, "a file")
  if (Option.isNone(file)) return given
  if (Option.isSome(given)) {
    return yield* new WrongSetting({ variable: `${name}_FILE`, expected: `absent if ${name} is set` })
  }
  const content = yield* Effect.try({
    try: () => readFileSync(file.value, "utf8").trim(),
    catch: (cause) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      return new WrongSetting({ variable: `${name}_FILE`, expected: `a file that can be read (${why})` })
    },
  })
  return content === "" ? Option.none<string>() : Option.some(content)
})

const names = {
  issuer: "INLET_OIDC_ISSUER",
  clientId: "INLET_OIDC_CLIENT_ID",
  clientSecret: "INLET_OIDC_CLIENT_SECRET",
  access: "INLET_OIDC_ACCESS",
} as const

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Codes and tokens go over these addresses, so only an address of this machine may do without TLS. */
const isSafe = ({ hostname, protocol }: URL): boolean => protocol === "https:" || loopback.test(hostname)

/** The longest address of an issuer, in characters. It is part of the id of each person. */
const issuerLengthMax = 500

const issuerExpected = "an https address without query, or an http address of this machine"

const parseUrl = Schema.decodeUnknownResult(HttpUrl)

/** Reads how people sign in to the console. */
export const signInSettings = Effect.fnUntraced(function* (
  publicUrl: Option.Option<URL>,
  hasTwoAddresses: boolean,
): Effect.fn.Return<Pick<HttpSettings["Service"], "consoleTokens" | "oidc">, WrongSetting> {
  const operatorUrl = yield* variable("INLET_OPERATOR_URL", HttpUrl, "an http or https address")
  const consoleTokens = yield* onOrOff("INLET_CONSOLE_TOKENS")
  const oidc = yield* oidcSettings(operatorUrl, publicUrl, hasTwoAddresses)
  if (!consoleTokens && Option.isNone(oidc)) {
    const expected = `on unless ${names.issuer} is set, because nobody could sign in`
    return yield* new WrongSetting({ variable: "INLET_CONSOLE_TOKENS", expected })
  }
  return { consoleTokens, oidc }
})

const oidcSettings = Effect.fnUntraced(function* (
  operatorUrl: Option.Option<URL>,
  publicUrl: Option.Option<URL>,
  hasTwoAddresses: boolean,
) {
  const issuer = yield* variableOrFile(names.issuer, issuerExpected)
  const clientId = yield* variableOrFile(names.clientId, "the id of a client at the issuer")
  const clientSecret = yield* variableOrFile(names.clientSecret, "the secret of the client")
  const access = yield* variableOrFile(names.access, "rules in JSON")
  const given = { issuer, clientId, clientSecret, access }
  const set = Object.entries(given).find(([, value]) => Option.isSome(value))
  if (set === undefined) return Option.none<OidcSettings>()
  if (Option.isNone(issuer)) return yield* missing(names.issuer)
  if (Option.isNone(clientId)) return yield* missing(names.clientId)
  if (Option.isNone(clientSecret)) return yield* missing(names.clientSecret)
  if (Option.isNone(access)) return yield* missing(names.access)
  return Option.some<OidcSettings>({
    issuer: yield* issuerUrl(issuer.value),
    clientId: clientId.value,
    clientSecret: Redacted.make(clientSecret.value),
    access: yield* accessRules(access.value),
    consoleUrl: yield* consoleUrl(operatorUrl, publicUrl, hasTwoAddresses),
  })
})

const missing = (variable: string) =>
  Effect.fail(
    new WrongSetting({
      variable,
      expected: `set for signing in with OpenID Connect: ${Object.values(names).join(", ")} belong together`,
    }),
  )

const issuerUrl = Effect.fnUntraced(function* (text: string) {
  const url = parseUrl(text)
  const isShort = text.length <= issuerLengthMax
  if (isShort && Result.isSuccess(url) && isSafe(url.success)) return url.success
  return yield* new WrongSetting({ variable: names.issuer, expected: issuerExpected })
})

const accessRules = Effect.fnUntraced(function* (json: string) {
  const rules = decodeRules(json)
  if (Result.isSuccess(rules)) return rules.success
  const why = rules.failure.message.replace(/\s+/g, " ").slice(0, 300)
  const expected = `rules such as {"claim":"groups","rules":[{"value":"admins","scope":"admin"}]} (${why})`
  return yield* new WrongSetting({ variable: names.access, expected })
})

/** Returns the address of the console. The public address is that of ingestion, which need not serve the console. */
const consoleUrl = Effect.fnUntraced(function* (
  operatorUrl: Option.Option<URL>,
  publicUrl: Option.Option<URL>,
  hasTwoAddresses: boolean,
) {
  const isPublic = Option.isNone(operatorUrl) && !hasTwoAddresses
  const url = isPublic ? publicUrl : operatorUrl
  const variable = isPublic ? "INLET_PUBLIC_URL" : "INLET_OPERATOR_URL"
  if (Option.isSome(url) && isSafe(url.value)) return url.value
  const expected = `the https address at which browsers reach the console, or an http address of this machine, if ${names.issuer} is set`
  return yield* new WrongSetting({ variable, expected })
})
