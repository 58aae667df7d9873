import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Data, Effect, FileSystem, Layer, Option, Path, Redacted, Runtime } from "effect"
import { Flag } from "effect/cli"
import { HttpClientError } from "effect/http"
import { cliTexts } from "./cliTexts.ts"

/** An option or environment variable is missing or invalid. The command exits with code 2. */
export class WrongOption extends Data.TaggedError("WrongOption")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** The flags that select the server and the workspace of a command. */
export const connectionFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription("Address of the server (INLET_URL; default: the server on this machine)"),
    Flag.optional,
  ),
  token: Flag.Redacted("token").pipe(
    Flag.withDescription(
      "Management token (INLET_MANAGEMENT_TOKEN; default: the token in the local data directory)",
    ),
    Flag.optional,
  ),
  workspace: Flag.String("workspace").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("Environment id of the workspace (INLET_WORKSPACE; default: 1)"),
    Flag.optional,
  ),
}

export interface ConnectionOptions {
  readonly url: Option.Option<string>
  readonly token: Option.Option<Redacted.Redacted>
  readonly workspace: Option.Option<string>
}

/** Returns the workspace number from the options or the environment. The default is 1. */
export const workspaceOf = ({ workspace }: ConnectionOptions): Effect.Effect<number, WrongOption> => {
  const text = Option.getOrElse(workspace, () => variable("INLET_WORKSPACE") ?? "1")
  return /^[1-9]\d{0,14}$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(new WrongOption({ message: cliTexts.wrongWorkspace() }))
}

/**
 * Provides a client for the server that the options select. By default this is the server on this machine with the
 * default data directory.
 */
export const connected = (options: ConnectionOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* urlOf(options)
      const token = yield* tokenOf(options, url)
      return ManagementClient.layer({ url: url.href.replace(/\/$/, ""), token })
    }),
  )

const urlOf = ({ url }: ConnectionOptions): Effect.Effect<URL, WrongOption> => {
  const here = `http://127.0.0.1:${variable("INLET_OPERATOR_PORT") ?? variable("INLET_PORT") ?? "8080"}`
  const given = URL.parse(Option.getOrElse(url, () => variable("INLET_URL") ?? here))
  return given?.protocol === "http:" || given?.protocol === "https:"
    ? Effect.succeed(given)
    : Effect.fail(new WrongOption({ message: cliTexts.wrongUrl() }))
}

const tokenOf = Effect.fnUntraced(function* ({ token }: ConnectionOptions, { hostname }: URL) {
  if (Option.isSome(token)) return token.value
  const known = variable("INLET_MANAGEMENT_TOKEN")
  if (known !== undefined) return Redacted.make(known)
  // Never send the token of the local server to another host.
  const stored = isHere(hostname) ? yield* storedToken : Option.none<string>()
  if (Option.isSome(stored)) return Redacted.make(stored.value)
  return yield* new WrongOption({ message: cliTexts.tokenMissing() })
})

const isHere = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)

const storedToken = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(variable("INLET_DATA_DIR") ?? ".inlet", "management-token")
  const text = yield* Effect.option(files.readFileString(file))
  return Option.filter(
    Option.map(text, (token) => token.trim()),
    (token) => token !== "",
  )
})

/** No server answers at the address, or the server is not Inlet. */
class NoServer extends Data.TaggedError("NoServer")<{ readonly message: string }> {}

/** Turns HTTP client errors into a short message that contains the address of the server. */
export const orNoServer = <A, E, R>(effect: Effect.Effect<A, E | HttpClientError.HttpClientError, R>) =>
  Effect.catchIf(effect, HttpClientError.isHttpClientError, ({ reason, request }) => {
    const { origin } = new URL(request.url)
    const text = reason._tag === "TransportError" ? cliTexts.serverUnreachable : cliTexts.notInlet
    return Effect.fail(new NoServer({ message: text({ origin }) }))
  })

/** Returns an environment variable. An empty variable counts as absent. */
const variable = (name: string): string | undefined => {
  const given = process.env[name]?.trim()
  return given === "" ? undefined : given
}
