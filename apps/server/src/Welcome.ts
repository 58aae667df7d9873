import { Console, Effect, Option, Redacted } from "effect"
import type { FirstCredentials, Token } from "./FirstStart.ts"
import { Settings, type ServerSettings } from "./Settings.ts"

/** What an operator has to know once the server listens. */
export interface Started {
  /** Where ingestion listens. */
  readonly url: URL
  /** Where the management API listens; the same unless operators have an address of their own. */
  readonly operatorUrl: URL
  readonly credentials: Option.Option<FirstCredentials>
  readonly token: Token
}

/**
 * Tells where the server is and, on the first start of a data directory, its credentials with commands that work when
 * pasted: as text on a terminal; else one JSON line on standard output and, this once, the text on standard error.
 */
export const welcome = Effect.fnUntraced(function* (started: Started) {
  const settings = yield* Settings
  const text = lines(started, settings).join("\n")
  if (process.stdout.isTTY) return yield* Console.log(text)
  yield* Effect.logInfo("listening").pipe(
    Effect.annotateLogs({
      url: started.url.origin,
      ...(started.operatorUrl.origin === started.url.origin
        ? {}
        : { operatorUrl: started.operatorUrl.origin }),
      store: settings.store,
      ...(settings.store === "sqlite" ? { data: settings.dataDirectory } : {}),
      firstStart: Option.isSome(started.credentials),
    }),
  )
  if (Option.isSome(started.credentials)) yield* Console.error(text)
})

const kept = ({ file }: Token) =>
  Option.match(file, { onNone: () => "", onSome: (path) => ` (token in ${path})` })

const lines = (
  { credentials, operatorUrl, token, url }: Started,
  settings: ServerSettings,
): ReadonlyArray<string> => {
  const where = settings.store === "sqlite" ? `data in ${settings.dataDirectory}` : "data in memory only"
  const head = [
    "",
    `Inlet listens on ${url.origin} (${where})`,
    `Management API: ${operatorUrl.origin}/management/v1/openapi.json${kept(token)}`,
  ]
  return Option.match(credentials, {
    onNone: () => [...head, ""],
    onSome: (first) => [...head, "", ...introduction({ url, operatorUrl, token }, first), ""],
  })
}

const introduction = (
  { operatorUrl, token, url }: Omit<Started, "credentials">,
  { apiKey, siteId, writeKey }: FirstCredentials,
) => {
  const secret = Redacted.value(token.value)
  return [
    "This is the first start. These are shown this once:",
    `  Track site id     ${siteId}`,
    `  Track API key     ${apiKey}`,
    `  Pipelines key     ${writeKey}`,
    `  Management token  ${secret}`,
    "",
    "Send a person and an event:",
    "",
    `  curl -u ${siteId}:${apiKey} ${url.origin}/api/v2/batch -d '${firstBatch}'`,
    "",
    "See them:",
    "",
    `  curl -H 'Authorization: Bearer ${secret}' '${operatorUrl.origin}/management/v1/workspaces/1/people'`,
    `  curl -H 'Authorization: Bearer ${secret}' '${operatorUrl.origin}/management/v1/workspaces/1/activity'`,
  ]
}

const ada = { type: "person", identifiers: { id: "ada" } }

const firstBatch = JSON.stringify({
  batch: [
    { ...ada, action: "identify", attributes: { email: "ada@example.com", plan: "pro" } },
    { ...ada, action: "event", name: "signed_up", attributes: { source: "curl" } },
  ],
})
