import { X509Certificate } from "node:crypto"
import { readFileSync } from "node:fs"
import { BlockList } from "node:net"
import {
  Context,
  Effect,
  Layer,
  LogLevel,
  Option,
  Redacted,
  Result,
  Schema,
  SchemaTransformation,
} from "effect"
import { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import { siteIdLengthMax } from "@inlethq/core/workspace/Credentials"
import { OmitPaths, omitPathsMax, omitPresets } from "@inlethq/core/workspace/OmitPath"
import { AuditDays, auditDaysDefault, Region } from "@inlethq/core/workspace/Workspace"
import type { MigrationMode } from "@inlethq/storage-postgres/migrations/migrate"
import { parseConnectionUrl, type ConnectionSettings } from "@inlethq/storage-postgres/engine/ConnectionUrl"
import { parseBrokers } from "@inlethq/kafka/brokers"
import type { KafkaConnection } from "@inlethq/kafka/KafkaConnection"
import {
  HttpSettings,
  type Address,
  type AppApiAccess,
  type MetricsAccess,
  type TlsFiles,
} from "@inlethq/http/HttpSettings"
import { WrongSetting } from "@inlethq/http/listener/WrongSetting"
import { addSubnet } from "@inlethq/outbound/addressRules"
import { signInSettings } from "./oidcSettings.ts"
import { HttpUrl, onOrOff, or, redacted, variable, word } from "./readVariable.ts"

/** The store: SQLite in the data directory, the memory of this process, or a PostgreSQL database that many nodes share. */
export type StoreSetting =
  | { readonly kind: "sqlite" }
  | { readonly kind: "memory" }
  | {
      readonly kind: "postgres"
      readonly connection: ConnectionSettings
      /** The secret of the installation, the same on every node. */
      readonly secret: Redacted.Redacted
      /** Whether the tables are migrated at the start, even if nodes run that need what a migration removes, or not at all. */
      readonly migrations: MigrationMode
    }

const AppApiNames = Schema.Literals(["off", "operator", "both"])
const MetricsNames = Schema.Literals(["token", "open", "off"])

/** Returns the error for a data directory that cannot be used. */
export const unusableDirectory = (directory: string, cause: unknown): WrongSetting => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new WrongSetting({
    variable: "INLET_DATA_DIR",
    expected: `a usable directory (${directory}: ${why})`,
  })
}

/**
 * The settings of this server. The server reads its settings once from the environment. An empty variable counts as
 * absent.
 */
export type ServerSettings = HttpSettings["Service"] & {
  readonly dataDirectory: string
  readonly store: StoreSetting
  /** True if the SQLite store overwrites deleted data in its file. */
  readonly scrub: boolean
  /** Whether each start without a terminal logs a link that signs a browser in to the console once. */
  readonly logsSignInLink: boolean
  /** The days for which the audit log keeps records of the installation and of deleted workspaces. */
  readonly auditDays: number
  readonly managementToken: Option.Option<Redacted.Redacted>
  /** Subnets that webhooks may reach although they are not public. */
  readonly webhookAllow: BlockList
  /** The Kafka cluster to which activity logs are copied, or null if they are not copied. */
  readonly kafka: KafkaConnection | null
  /** What workspace 1 omits, if this start creates it. */
  readonly omit: OmitPaths
  readonly siteId: Option.Option<string>
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly writeKey: Option.Option<Redacted.Redacted>
  readonly logLevel: LogLevel.LogLevel
  readonly otlpUrl: Option.Option<string>
}

export class Settings extends Context.Service<Settings, ServerSettings>()("@inlethq/runtime/Settings") {}

const logLevels = {
  all: "All",
  trace: "Trace",
  debug: "Debug",
  info: "Info",
  warn: "Warn",
  warning: "Warn",
  error: "Error",
  fatal: "Fatal",
  none: "None",
} as const

const LogLevelName = Schema.Literals([
  "all",
  "trace",
  "debug",
  "info",
  "warn",
  "warning",
  "error",
  "fatal",
  "none",
])

const Port = Schema.String.check(Schema.isPattern(/^\d{1,5}$/)).pipe(
  Schema.decodeTo(Schema.FiniteFromString),
  Schema.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })),
)

const AuditDaysText = Schema.String.check(Schema.isPattern(/^\d{1,4}$/)).pipe(
  Schema.decodeTo(Schema.FiniteFromString),
  Schema.decodeTo(AuditDays),
)

/** A secret that an operator chooses. Secrets are sent in headers, so they may contain only printable ASCII. */
const Secret = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/))

/** A shorter management token could be guessed. */
const managementTokenLengthMin = 20

/** The management token, if an operator chooses it. */
const ManagementTokenText = Secret.check(Schema.isMinLength(managementTokenLengthMin))

const OmitText = Schema.String.pipe(
  Schema.decodeTo(
    OmitPaths,
    SchemaTransformation.transform({
      decode: (text): ReadonlyArray<string> => text.split(",").map((path) => path.trim()),
      encode: (paths) => paths.join(","),
    }),
  ),
)

const sharedSecretBytesMin = 32

/** The secret that all nodes of an installation share. */
const SharedSecret = Schema.String.check(
  Schema.makeFilter((secret) => Buffer.byteLength(secret) >= sharedSecretBytesMin),
)

const WriteKey = Schema.String.check(Schema.isPattern(/^[\x21-\x39\x3b-\x7e]+$/))
const SiteId = WriteKey.check(Schema.isMaxLength(siteIdLengthMax))

/** Reads whether the server has the console, and whether each start logs a link to it. */
const consoleSetting = variable(
  "INLET_CONSOLE",
  word(Schema.Literals(["on", "off", "link"])),
  "on, off or link",
).pipe(
  or<"on" | "off" | "link">("on"),
  Effect.map((value) => ({ console: value !== "off", logsSignInLink: value === "link" })),
)

const text = Schema.String

/** Reads subnets that are separated by commas or spaces. The option is empty if there are none. */
const subnetList = Effect.fnUntraced(function* (name: string) {
  const given = yield* variable(name, text, "")
  if (Option.isNone(given)) return Option.none<BlockList>()
  const list = new BlockList()
  const isEach = given.value.split(/[\s,]+/).every((one) => one === "" || addSubnet(list, one))
  if (isEach) return Option.some(list)
  const expected = "subnets such as 10.1.0.0/16, separated by commas"
  return yield* new WrongSetting({ variable: name, expected })
})

/** Reads the brokers of `INLET_KAFKA`. */
const brokerList = Effect.gen(function* () {
  const given = yield* variable("INLET_KAFKA", text, "")
  if (Option.isNone(given)) return []
  const expected = "brokers such as kafka1:9092,kafka2:9092"
  return parseBrokers(given.value) ?? (yield* new WrongSetting({ variable: "INLET_KAFKA", expected }))
})

/** Throws if a text does not begin with a certificate in PEM. */
const expectCertificate = (pem: string): X509Certificate => new X509Certificate(pem)

const kafkaTlsExpected = "off, on, or a PEM file with the certificates of authorities"

const kafkaTls = Effect.gen(function* () {
  const given = yield* variable("INLET_KAFKA_TLS", text, kafkaTlsExpected).pipe(or("off"))
  if (given.toLowerCase() === "off") return null
  if (given.toLowerCase() === "on") return { authorities: null }
  return yield* Effect.try({
    try: () => {
      const authorities = readFileSync(given, "utf8")
      expectCertificate(authorities)
      return { authorities }
    },
    catch: (cause) => {
      const why = cause instanceof Error ? cause.message : String(cause)
      return new WrongSetting({ variable: "INLET_KAFKA_TLS", expected: `${kafkaTlsExpected} (${why})` })
    },
  })
})

const SaslMechanism = Schema.Literals(["plain", "scram-sha-256", "scram-sha-512"])

const kafkaSasl = Effect.gen(function* () {
  const names = ["INLET_KAFKA_SASL", "INLET_KAFKA_USERNAME", "INLET_KAFKA_PASSWORD"] as const
  const mechanism = yield* variable(names[0], word(SaslMechanism), "plain, scram-sha-256 or scram-sha-512")
  const username = yield* variable(names[1], text, "a user name")
  const password = yield* variable(names[2], text, "a password").pipe(redacted)
  if (Option.isSome(mechanism) && Option.isSome(username) && Option.isSome(password)) {
    return { mechanism: mechanism.value, username: username.value, password: password.value }
  }
  const isSet = [Option.isSome(mechanism), Option.isSome(username), Option.isSome(password)]
  const given = names.find((_, index) => isSet[index])
  const missing = names.find((_, index) => !isSet[index])
  if (given === undefined || missing === undefined) return null
  return yield* new WrongSetting({ variable: missing, expected: `set if ${given} is set` })
})

/** Reads the variables that begin with `INLET_KAFKA`. */
const kafkaConnection = Effect.gen(function* () {
  const brokers = yield* brokerList
  const tls = yield* kafkaTls
  const sasl = yield* kafkaSasl
  if (brokers.length > 0) return { brokers, tls, sasl } satisfies KafkaConnection
  if (tls === null && sasl === null) return null
  const given = tls === null ? "INLET_KAFKA_SASL" : "INLET_KAFKA_TLS"
  return yield* new WrongSetting({ variable: "INLET_KAFKA", expected: `set if ${given} is set` })
})

const portExpected = "a port number from 0 to 65535"

/** Reads the separate address for operators. A missing host or port defaults to the host or port of ingestion. */
const operatorAddressBeside = Effect.fnUntraced(function* (address: Address) {
  const host = yield* variable("INLET_OPERATOR_HOST", text, "a host name or address").pipe(or(address.host))
  const port = yield* variable("INLET_OPERATOR_PORT", Port, portExpected)
  const operator: Address = {
    host,
    port: Option.getOrElse(port, () => address.port),
    variable: "INLET_OPERATOR_PORT",
  }
  const isSame = operator.host === address.host && operator.port === address.port
  const picksAnother = Option.isSome(port) && operator.port === 0
  return isSame && !picksAnother ? Option.none() : Option.some(operator)
})

const tlsFiles = Effect.gen(function* () {
  const certificate = yield* variable("INLET_TLS_CERT", text, "a PEM file")
  const key = yield* variable("INLET_TLS_KEY", text, "a PEM file")
  if (Option.isSome(certificate) && Option.isSome(key)) {
    return Option.some<TlsFiles>({ certificate: certificate.value, key: key.value })
  }
  if (Option.isNone(certificate) && Option.isNone(key)) return Option.none<TlsFiles>()
  const [missing, given] = Option.isNone(key)
    ? ["INLET_TLS_KEY", "INLET_TLS_CERT"]
    : ["INLET_TLS_CERT", "INLET_TLS_KEY"]
  return yield* new WrongSetting({ variable: missing, expected: `set if ${given} is set` })
})

const storeExpected = "sqlite, memory or a URL that begins with postgres://"

const MigrationNames = Schema.Literals(["on", "off", "force"])

const storeSetting = Effect.gen(function* () {
  const given = yield* variable("INLET_STORE", text, storeExpected).pipe(or("sqlite"))
  if (given === "sqlite" || given === "memory") return { kind: given } satisfies StoreSetting
  if (!/^postgres(ql)?:/.test(given)) {
    return yield* new WrongSetting({ variable: "INLET_STORE", expected: storeExpected })
  }
  const parsed = parseConnectionUrl(given)
  if (Result.isFailure(parsed)) {
    const expected = `a valid PostgreSQL URL (${parsed.failure.problem})`
    return yield* new WrongSetting({ variable: "INLET_STORE", expected })
  }
  const secret = yield* variable("INLET_SECRET", SharedSecret, `at least ${sharedSecretBytesMin} bytes long`)
  if (Option.isNone(secret)) {
    const expected = `set for a PostgreSQL store: at least ${sharedSecretBytesMin} bytes, the same on every node`
    return yield* new WrongSetting({ variable: "INLET_SECRET", expected })
  }
  const connection = parsed.success
  const migrations = yield* variable("INLET_MIGRATE", word(MigrationNames), "on, off or force").pipe(
    or<MigrationMode>("on"),
  )
  return {
    kind: "postgres",
    connection,
    secret: Redacted.make(secret.value),
    migrations,
  } satisfies StoreSetting
})

const settings = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const address: Address = {
      host: yield* variable("INLET_HOST", text, "a host name or address").pipe(or("127.0.0.1")),
      port: yield* variable("INLET_PORT", Port, portExpected).pipe(or(8080)),
      variable: "INLET_PORT",
    }
    const operatorAddress = yield* operatorAddressBeside(address)
    const publicUrl = yield* variable("INLET_PUBLIC_URL", HttpUrl, "an http or https address")
    return Settings.of({
      address,
      operatorAddress,
      publicUrl,
      ...(yield* signInSettings(publicUrl, Option.isSome(operatorAddress))),
      metrics: yield* variable("INLET_METRICS", word(MetricsNames), "token, open or off").pipe(
        or<MetricsAccess>("token"),
      ),
      appApi: yield* variable("INLET_APP_API", word(AppApiNames), "off, operator or both").pipe(
        or<AppApiAccess>("operator"),
      ),
      ...(yield* consoleSetting),
      tls: yield* tlsFiles,
      trustedProxies: Option.getOrNull(yield* subnetList("INLET_TRUSTED_PROXIES")),
      geoFile: yield* variable("INLET_GEO", text, "an mmdb file"),
      dataDirectory: yield* variable("INLET_DATA_DIR", text, "a directory").pipe(or(".inlet")),
      store: yield* storeSetting,
      scrub: yield* onOrOff("INLET_SCRUB"),
      auditDays: yield* variable("INLET_AUDIT_DAYS", AuditDaysText, "a number of days from 1 to 3650").pipe(
        or(auditDaysDefault),
      ),
      outcomes: yield* onOrOff("INLET_OUTCOMES"),
      brand: yield* variable("INLET_BRAND", word(WrittenBrand), "svc or cio").pipe(or<WrittenBrand>("svc")),
      region: yield* variable("INLET_REGION", word(Region), "us or eu").pipe(or<Region>("us")),
      peerUrl: yield* variable("INLET_PEER_URL", HttpUrl, "an http or https address"),
      managementToken: yield* variable(
        "INLET_MANAGEMENT_TOKEN",
        ManagementTokenText,
        `at least ${managementTokenLengthMin} characters of printable ASCII without spaces`,
      ).pipe(redacted),
      webhookAllow: Option.getOrElse(yield* subnetList("INLET_WEBHOOK_ALLOW"), () => new BlockList()),
      kafka: yield* kafkaConnection,
      omit: yield* variable(
        "INLET_OMIT",
        OmitText,
        `paths such as context.page.search and traits.ssn, and the presets ${omitPresets.join(" and ")}, at most ${omitPathsMax}, with commas between`,
      ).pipe(or<OmitPaths>([])),
      siteId: yield* variable(
        "INLET_SITE_ID",
        SiteId,
        `printable ASCII without spaces and colons, at most ${siteIdLengthMax} characters`,
      ),
      apiKey: yield* variable("INLET_API_KEY", Secret, "printable ASCII without spaces").pipe(redacted),
      writeKey: yield* variable(
        "INLET_WRITE_KEY",
        WriteKey,
        "printable ASCII without spaces and colons",
      ).pipe(redacted),
      logLevel: yield* variable(
        "INLET_LOG",
        word(LogLevelName),
        `one of ${Object.keys(logLevels).join(", ")}`,
      ).pipe(Effect.map(Option.match({ onNone: () => "Info" as const, onSome: (name) => logLevels[name] }))),
      otlpUrl: yield* variable("OTEL_EXPORTER_OTLP_ENDPOINT", HttpUrl, "an http or https address").pipe(
        Effect.map(Option.map((url) => url.href.replace(/\/$/, ""))),
      ),
    })
  }),
)

/** Reads the settings, and provides the part of them that concerns HTTP. */
export const layer = Layer.provideMerge(Layer.effect(HttpSettings, Settings), settings)
