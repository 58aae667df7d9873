import { ImportParams } from "@inlet/api/management/Imports"
import type { WorkspaceId } from "@inlet/core/values/Identifier"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import {
  Context,
  Data,
  Effect,
  FileSystem,
  Layer,
  Option,
  Path,
  Redacted,
  Result,
  Runtime,
  Schema,
} from "effect"
import { FetchHttpClient } from "effect/http"
import { cliTexts } from "../cliTexts.ts"
import { inlet } from "../inlet.ts"
import { variable } from "./variable.ts"

/** An argument, option or environment variable is missing or invalid. The command exits with code 2. */
export class WrongOption extends Data.TaggedError("WrongOption")<{ readonly message: string }> {
  override readonly [Runtime.errorExitCode] = 2
}

/** The server and the workspace that the options of a command select. */
export class Connection extends Context.Service<
  Connection,
  {
    /** The address of the management API, without a slash at its end. */
    readonly url: string
    /**
     * The address of the ingestion APIs. The port differs from the port of `url` if the server on this machine has a
     * separate port for operators (`INLET_OPERATOR_PORT`).
     */
    readonly ingestionUrl: string
    /**
     * The management token. If the token is missing, this field holds the error, so that commands that do not need the
     * token can run.
     */
    readonly token: Result.Result<Redacted.Redacted, WrongOption>
    readonly workspace: WorkspaceId
  }
>()("@inlet/cli/server/Connection") {
  /**
   * Provides the connection to the server that `--url` or `INLET_URL` selects, and an HTTP client. Connects to the
   * server on this machine by default.
   */
  static readonly layer = Layer.unwrap(Effect.map(inlet, ({ url }) => connectTo(url)))

  /**
   * Like `layer`, but ignores the shared flag `--url`. In `inlet webhooks create`, `--url` is the address of the
   * webhook and not of the server.
   */
  static readonly layerWithoutUrl = Layer.suspend(() => connectTo(Option.none()))
}

const connectTo = (given: Option.Option<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const options = yield* inlet
      const chosen = Option.orElse(given, () => Option.fromUndefinedOr(variable("INLET_URL")))
      const url = yield* urlFrom(Option.getOrElse(chosen, () => localUrl("INLET_OPERATOR_PORT")))
      const ingestionUrl = yield* urlFrom(Option.getOrElse(chosen, () => localUrl("INLET_PORT")))
      const token = yield* Effect.result(tokenFor(url, options.token))
      const workspace = yield* workspaceFrom(options.workspace)
      const connection = {
        url: withoutSlash(url),
        ingestionUrl: withoutSlash(ingestionUrl),
        token,
        workspace,
      }
      return Layer.merge(Layer.succeed(Connection, connection), FetchHttpClient.layer)
    }),
  )

/** Provides the client of the management API. */
export const managementLayer = Layer.unwrap(
  Effect.gen(function* () {
    const { token, url } = yield* Connection
    return ManagementClient.layer({ url, token: yield* Effect.fromResult(token) })
  }),
)

/** Returns the address of the server on this machine. The environment variable `portVariable` can change the port. */
const localUrl = (portVariable: string): string => {
  const scheme = variable("INLET_TLS_CERT") === undefined ? "http" : "https"
  return `${scheme}://127.0.0.1:${variable(portVariable) ?? variable("INLET_PORT") ?? "8080"}`
}

const urlFrom = (text: string): Effect.Effect<URL, WrongOption> => {
  const url = URL.parse(text)
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(url)
    : Effect.fail(new WrongOption({ message: cliTexts.wrongUrl() }))
}

const withoutSlash = ({ href }: URL): string => href.replace(/\/$/, "")

const workspaceFrom = (given: Option.Option<string>): Effect.Effect<WorkspaceId, WrongOption> => {
  const text = Option.getOrElse(given, () => variable("INLET_WORKSPACE") ?? "1")
  return Schema.decodeUnknownEffect(ImportParams)({ w: /^\d{1,15}$/.test(text) ? Number(text) : text }).pipe(
    Effect.map(({ w }) => w),
    Effect.mapError(() => new WrongOption({ message: cliTexts.wrongWorkspace() })),
  )
}

const tokenFor = Effect.fnUntraced(function* (
  { hostname }: URL,
  given: Option.Option<Redacted.Redacted>,
): Effect.fn.Return<Redacted.Redacted, WrongOption, FileSystem.FileSystem | Path.Path> {
  if (Option.isSome(given)) return given.value
  const known = variable("INLET_MANAGEMENT_TOKEN")
  if (known !== undefined) return Redacted.make(known)
  // Never send the token of the local server to another host.
  const stored = isHere(hostname) ? yield* storedToken : Option.none<string>()
  if (Option.isSome(stored)) return Redacted.make(stored.value)
  return yield* new WrongOption({
    message: isHere(hostname)
      ? cliTexts.localTokenMissing({ directory: dataDirectory() })
      : cliTexts.tokenMissing(),
  })
})

const isHere = (hostname: string) =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname)

/** Returns the data directory of the server on this machine. */
export const dataDirectory = (): string => variable("INLET_DATA_DIR") ?? ".inlet"

const storedToken = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const text = yield* Effect.option(files.readFileString(path.join(dataDirectory(), "management-token")))
  return Option.filter(
    Option.map(text, (token) => token.trim()),
    (token) => token !== "",
  )
})
