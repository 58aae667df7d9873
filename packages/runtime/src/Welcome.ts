import { managementPath } from "@inlethq/contract/values/managementPath"
import { Console, Effect, Option, Redacted } from "effect"
import type { FirstCredentials, Token } from "./FirstStart.ts"
import { writeKeysFile } from "./keysFile.ts"
import { Settings, type ServerSettings } from "./Settings.ts"

/** The details printed when the server starts to listen. */
export interface Started {
  /** The address of ingestion. */
  readonly url: URL
  /** The address of the management API. The address equals `url` unless operators have a separate address. */
  readonly operatorUrl: URL
  readonly credentials: Option.Option<FirstCredentials>
  readonly token: Token
  /**
   * The URL that signs a browser in to the console once. The option is empty if the server does not serve the console.
   */
  readonly signInUrl: Option.Option<string>
}

/**
 * Prints the server's address, and on the first start of a data directory also its credentials and example commands. On
 * a terminal, the output is text. Elsewhere, the server logs JSON lines without secrets to standard output, and stores what is
 * shown only once in a file that one of the lines names.
 */
export const welcome = Effect.fnUntraced(function* (started: Started) {
  const settings = yield* Settings
  if (process.stdout.isTTY) return yield* Console.log(welcomeLines(started, settings).join("\n"))
  yield* Effect.logInfo("listening").pipe(
    Effect.annotateLogs({
      url: started.url.origin,
      ...(started.operatorUrl.origin === started.url.origin
        ? {}
        : { operatorUrl: started.operatorUrl.origin }),
      store: settings.store.kind,
      ...dataLocation(settings),
      firstStart: Option.isSome(started.credentials),
    }),
  )
  const lines = linesShownOnce(started, settings)
  if (lines.length > 0) yield* handOver(lines.join("\n"), settings)
  if (settings.logsSignInLink && Option.isSome(started.signInUrl)) {
    yield* Effect.logInfo("this link signs a browser in to the console once, within 10 minutes").pipe(
      Effect.annotateLogs({ url: started.signInUrl.value }),
    )
  }
})

/** Returns the lines of a start that has generated secrets. Credentials that the operator chose need not be shown. */
const linesShownOnce = (started: Started, settings: ServerSettings): ReadonlyArray<string> => {
  const { apiKey, siteId, writeKey } = settings
  const isFirst = Option.isSome(started.credentials)
  const isChosen = Option.isSome(apiKey) && Option.isSome(siteId) && Option.isSome(writeKey)
  if (started.token.mustBePrinted || (isFirst && !isChosen)) return welcomeLines(started, settings)
  if (!isFirst || Option.isNone(started.signInUrl)) return []
  return welcomeLines({ ...started, credentials: Option.none() }, settings)
}

/**
 * Stores a text with secrets in the data directory, because logs are often read by others. Prints it to standard error if the
 * store is in memory, or if the file cannot be written, because the secrets are not shown again.
 */
const handOver = Effect.fnUntraced(function* (text: string, { dataDirectory, store }: ServerSettings) {
  const note = "\nDelete this file once you have saved what you need.\n"
  const file = store.kind === "memory" ? Option.none() : yield* writeKeysFile(dataDirectory, text + note)
  if (Option.isNone(file)) return yield* Console.error(text)
  yield* Effect.logInfo("the keys and the sign-in link of the first start are in a file").pipe(
    Effect.annotateLogs({ file: file.value }),
  )
})

/**
 * Returns the location of the data, without the password of a database. Returns an empty object for the store in
 * memory.
 */
const dataLocation = ({ dataDirectory, store }: ServerSettings): { readonly data?: string } => {
  switch (store.kind) {
    case "sqlite":
      return { data: dataDirectory }
    case "memory":
      return {}
    case "postgres": {
      const hosts = store.connection.hosts.map(({ name, port }) => `${name}:${port}`)
      return { data: `the PostgreSQL database ${store.connection.database} on ${hosts.join(", ")}` }
    }
  }
}

/** Returns the lines to print on a node that shares a PostgreSQL store and did not create workspace 1. */
const joinedNote = ({ mustBePrinted, value }: Token, { store }: ServerSettings): ReadonlyArray<string> => {
  if (store.kind !== "postgres") return []
  const joined =
    "This node joined an existing installation. The node that created it printed the credentials of workspace 1."
  if (!mustBePrinted) return [joined]
  return [
    joined,
    "",
    "This start made the management token. Save it, it is not shown again:",
    `  ${shown(value)}`,
  ]
}

/** Returns the management token, or a placeholder on a node that knows only the digest of the token. */
const shown = (value: Token["value"]): string =>
  Option.match(value, { onNone: () => "<management token>", onSome: Redacted.value })

const tokenFileNote = ({ file }: Token) =>
  Option.match(file, { onNone: () => "", onSome: (path) => ` (token in ${path})` })

/** Returns the lines to print when the server starts to listen. */
export const welcomeLines = (
  { credentials, operatorUrl, signInUrl, token, url }: Started,
  settings: ServerSettings,
): ReadonlyArray<string> => {
  const { data = "memory only" } = dataLocation(settings)
  const head = [
    "",
    `Inlet listens on ${url.origin} (data in ${data})`,
    `Management API: ${operatorUrl.origin}${managementPath}/openapi.json${tokenFileNote(token)}`,
    ...Option.match(signInUrl, {
      onNone: () => [],
      onSome: (link) => [
        "",
        "Open the console. This link signs you in once, within 10 minutes:",
        `  ${link}`,
      ],
    }),
  ]
  return Option.match(credentials, {
    onNone: () => [...head, ...joinedNote(token, settings), ""],
    onSome: (first) => [
      ...head,
      "",
      ...introduction({ url, operatorUrl, token }, first),
      ...keepingNote(settings),
      "",
    ],
  })
}

/** The bytes that an event of three attributes with an id takes on disk (docs/decisions/0041-what-an-event-costs.md). */
const eventBytes = { sqlite: 281, postgres: 527 }

const gigabyte = 1e9

/** Says what it costs to keep all events, as a new workspace does. */
const keepingNote = ({ store }: ServerSettings): ReadonlyArray<string> => {
  if (store.kind === "memory") return []
  const dailyGigabytes = (eventBytes[store.kind] * 1e6) / gigabyte
  return [
    "",
    `Events are kept for ever: a million a day take about ${dailyGigabytes.toFixed(1)} GB a day, or ${Math.round(dailyGigabytes * 365)} GB a year. To keep them for a year:`,
    "",
    "  inlet workspaces update 1 --retention-days 365",
  ]
}

const introduction = (
  { operatorUrl, token, url }: Omit<Started, "credentials" | "signInUrl">,
  { apiKey, siteId, writeKey }: FirstCredentials,
) => {
  const secret = shown(token.value)
  const isOneAddress = operatorUrl.origin === url.origin
  const variables = {
    INLET_URL: operatorUrl.origin,
    ...(isOneAddress ? {} : { INLET_INGESTION_URL: url.origin }),
    INLET_SITE_ID: siteId,
    INLET_API_KEY: apiKey,
    INLET_WRITE_KEY: writeKey,
    ...(Option.isSome(token.value) ? { INLET_MANAGEMENT_TOKEN: secret } : {}),
  }
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`)
  const authorization = quoted(`Authorization: Bearer ${secret}`)
  return [
    "This is the first start. Save these credentials, they are not shown again:",
    `  Track site id     ${siteId}`,
    `  Track API key     ${apiKey}`,
    `  Pipelines key     ${writeKey}`,
    ...(Option.isSome(token.value) ? [`  Management token  ${secret}`] : []),
    "",
    `To set the ${isOneAddress ? "address" : "addresses"} and the credentials in another terminal, paste this line there:`,
    "",
    `  export ${assignments.join(" ")}`,
    ...(isOneAddress
      ? []
      : [
          "",
          "The command line needs both addresses. Programs that send data need only the one in INLET_INGESTION_URL.",
        ]),
    "",
    "Send a person and an event:",
    "",
    `  curl -u ${quoted(`${siteId}:${apiKey}`)} ${url.origin}/api/v2/batch -d ${quoted(firstBatch)}`,
    "",
    "See them:",
    "",
    `  curl -H ${authorization} '${operatorUrl.origin}${managementPath}/workspaces/1/people'`,
    `  curl -H ${authorization} '${operatorUrl.origin}${managementPath}/workspaces/1/activity'`,
  ]
}

/** Quotes a text for a POSIX shell. A text without special characters stays as it is. */
const quoted = (text: string): string =>
  /^[\w.:/@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

const ada = { type: "person", identifiers: { id: "ada" } }

const firstBatch = JSON.stringify({
  batch: [
    { ...ada, action: "identify", attributes: { email: "ada@example.com", plan: "pro" } },
    { ...ada, action: "event", name: "signed_up", attributes: { source: "curl" } },
  ],
})
