import { ManagementClient } from "@inlet/sdk/ManagementClient"
import { Data, Effect, FileSystem, Layer, Option, Path, Redacted, Runtime } from "effect"
import { Flag } from "effect/cli"
import { HttpClientError } from "effect/http"

/** The command line or the environment does not say enough, or says what cannot be. */
export class WrongOption extends Data.TaggedError("WrongOption")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** How a command says which server and which workspace it means. */
export const connectionFlags = {
  url: Flag.String("url").pipe(
    Flag.withDescription("Address of the server (INLET_URL, this machine's)"),
    Flag.optional,
  ),
  token: Flag.Redacted("token").pipe(
    Flag.withDescription("Management token (INLET_MANAGEMENT_TOKEN, that of the data directory here)"),
    Flag.optional,
  ),
  workspace: Flag.String("workspace").pipe(
    Flag.withMetavar("number"),
    Flag.withDescription("Environment id of the workspace (INLET_WORKSPACE, 1)"),
    Flag.optional,
  ),
}

export interface ConnectionOptions {
  readonly url: Option.Option<string>
  readonly token: Option.Option<Redacted.Redacted>
  readonly workspace: Option.Option<string>
}

/** The workspace that the options name. */
export const workspaceOf = ({ workspace }: ConnectionOptions): Effect.Effect<number, WrongOption> => {
  const text = Option.getOrElse(workspace, () => variable("INLET_WORKSPACE") ?? "1")
  return /^[1-9]\d{0,14}$/.test(text)
    ? Effect.succeed(Number(text))
    : Effect.fail(new WrongOption({ message: "--workspace must be the number of a workspace" }))
}

/** A client of the server that the options name; without any, of the one that runs here with its default data directory. */
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
    : Effect.fail(new WrongOption({ message: "--url must be an http or https address" }))
}

const tokenOf = Effect.fnUntraced(function* ({ token }: ConnectionOptions, { hostname }: URL) {
  if (Option.isSome(token)) return token.value
  const known = variable("INLET_MANAGEMENT_TOKEN")
  if (known !== undefined) return Redacted.make(known)
  // The token of this machine's server is nothing for any other one.
  const kept = isHere(hostname) ? yield* keptToken : Option.none<string>()
  if (Option.isSome(kept)) return Redacted.make(kept.value)
  return yield* new WrongOption({
    message: "no management token: give --token or INLET_MANAGEMENT_TOKEN",
  })
})

const isHere = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)

const keptToken = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(variable("INLET_DATA_DIR") ?? ".inlet", "management-token")
  const text = yield* Effect.option(files.readFileString(file))
  return Option.filter(
    Option.map(text, (token) => token.trim()),
    (token) => token !== "",
  )
})

/** Nobody answers at the address, or somebody else. */
class NoServer extends Data.TaggedError("NoServer")<{ readonly message: string }> {}

/** Says where nobody answered rather than how. */
export const orNoServer = <A, E, R>(effect: Effect.Effect<A, E | HttpClientError.HttpClientError, R>) =>
  Effect.catchIf(effect, HttpClientError.isHttpClientError, ({ reason, request }) => {
    const { origin } = new URL(request.url)
    const what = reason._tag === "TransportError" ? "nobody answers" : "no Inlet server answers"
    return Effect.fail(new NoServer({ message: `${what} at ${origin}` }))
  })

/** A variable of the environment; an empty one counts as absent. */
const variable = (name: string): string | undefined => {
  const given = process.env[name]?.trim()
  return given === "" ? undefined : given
}
