import {
  Config,
  Context,
  Effect,
  Layer,
  LogLevel,
  Option,
  Redacted,
  Schema,
  SchemaTransformation,
} from "effect"
import { Region } from "@inlet/core/Workspace"

/** Where everything is kept: on SQLite in the data directory, or in this process only. */
export const StoreKind = Schema.Literals(["sqlite", "memory"])
export type StoreKind = typeof StoreKind.Type

/** A variable of the environment has a value that cannot be used. */
export class WrongSetting extends Schema.TaggedError<WrongSetting>()("WrongSetting", {
  variable: Schema.String,
  expected: Schema.String,
}) {
  override get message() {
    return `${this.variable} must be ${this.expected}`
  }
}

/** The data directory that is set cannot be used. */
export const unusableDirectory = (directory: string, cause: unknown): WrongSetting => {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new WrongSetting({
    variable: "INLET_DATA_DIR",
    expected: `a directory that can be used (${directory}: ${why})`,
  })
}

/** How this server is set up, read from the environment once. Empty variables count as absent. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly dataDirectory: string
  readonly store: StoreKind
  readonly region: Region
  readonly peerUrl: Option.Option<URL>
  readonly publicUrl: Option.Option<URL>
  readonly managementToken: Option.Option<Redacted.Redacted>
  readonly siteId: Option.Option<string>
  readonly apiKey: Option.Option<Redacted.Redacted>
  readonly writeKey: Option.Option<Redacted.Redacted>
  readonly logLevel: LogLevel.LogLevel
  readonly otlpUrl: Option.Option<string>
}

export class Settings extends Context.Service<Settings, ServerSettings>()("@inlet/server/Settings") {}

const HttpUrl = Schema.URLFromString.check(
  Schema.makeFilter(
    ({ hash, protocol, search }) =>
      (protocol === "http:" || protocol === "https:") && search === "" && hash === "",
  ),
)

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

/** A secret that an operator chooses; it travels in a header, so it holds printable ASCII only. */
const Secret = Schema.String.check(Schema.isPattern(/^[\x21-\x7e]+$/))

const SiteId = Schema.String.check(Schema.isPattern(/^[\x21-\x39\x3b-\x7e]+$/))

/** A word of a closed set, however it is capitalised. */
const word = <S extends Schema.Codec<unknown, string>>(words: S) =>
  Schema.String.pipe(Schema.decode(SchemaTransformation.toLowerCase()), Schema.decodeTo(words))

const variable = <S extends Schema.Codec<unknown, string>>(name: string, schema: S, expected: string) =>
  Effect.gen(function* () {
    const given = yield* Config.option(Config.String(name))
    if (Option.isNone(given) || given.value.trim() === "") return Option.none<S["Type"]>()
    return Option.some(yield* Schema.decodeUnknownEffect(schema)(given.value.trim()))
  }).pipe(Effect.mapError(() => new WrongSetting({ variable: name, expected })))

const or = <A>(fallback: A) =>
  Effect.map((given: Option.Option<A>) => Option.getOrElse(given, () => fallback))

const redacted = Effect.map(Option.map((secret: string) => Redacted.make(secret)))

export const layer = Layer.effect(
  Settings,
  Effect.gen(function* () {
    const text = Schema.String
    return Settings.of({
      host: yield* variable("INLET_HOST", text, "a host name or address").pipe(or("127.0.0.1")),
      port: yield* variable("INLET_PORT", Port, "a port number from 0 to 65535").pipe(or(8080)),
      dataDirectory: yield* variable("INLET_DATA_DIR", text, "a directory").pipe(or(".inlet")),
      store: yield* variable(
        "INLET_STORE",
        StoreKind,
        "sqlite or memory (postgres:// is not there yet)",
      ).pipe(or<StoreKind>("sqlite")),
      region: yield* variable("INLET_REGION", word(Region), "us or eu").pipe(or<Region>("us")),
      peerUrl: yield* variable("INLET_PEER_URL", HttpUrl, "an http or https address"),
      publicUrl: yield* variable("INLET_PUBLIC_URL", HttpUrl, "an http or https address"),
      managementToken: yield* variable(
        "INLET_MANAGEMENT_TOKEN",
        Secret,
        "printable ASCII without spaces",
      ).pipe(redacted),
      siteId: yield* variable("INLET_SITE_ID", SiteId, "printable ASCII without spaces and colons"),
      apiKey: yield* variable("INLET_API_KEY", Secret, "printable ASCII without spaces").pipe(redacted),
      writeKey: yield* variable("INLET_WRITE_KEY", SiteId, "printable ASCII without spaces and colons").pipe(
        redacted,
      ),
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
