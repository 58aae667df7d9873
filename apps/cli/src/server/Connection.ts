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
    /** The address of the ingestion APIs. It equals `url` unless the server has a separate address for operators. */
    readonly ingestionUrl: string
    /**
     * The management token. If the token is missing, this field holds the error, so that commands that do not need the
     * token can run.
     */
    readonly token: Result.Result<Redacted.Redacted, WrongOption>
    readonly workspace: WorkspaceId
    /** The option or variable that selects the workspace, or null if nothing does and `workspace` is the default. */
    readonly workspaceFrom: string | null
  }
>()("@inlet/cli/server/Connection") {
  /**
   * Provides the connection to the server that `--url` or `INLET_URL` selects, and an HTTP client. Connects to the
   * server on this machine by default.
   */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const options = yield* inlet
      const { ingestionUrl, url } = yield* addresses
      return Layer.merge(
        Layer.succeed(Connection, {
          url: withoutSlash(url),
          ingestionUrl: withoutSlash(ingestionUrl),
          token: yield* Effect.result(tokenFor(url, options.token)),
          ...(yield* workspaceOf(options.workspace)),
        }),
        FetchHttpClient.layer,
      )
    }),
  )
}

/**
 * The addresses of the selected server. `INLET_INGESTION_URL` belongs to the server of `INLET_URL` or to the server on
 * this machine, so it does not count for the server of `--url`, which must not get the calls of another server.
 */
const addresses = Effect.gen(function* () {
  const options = yield* inlet
  const flag = Option.getOrUndefined(options.url)
  const chosen = flag ?? variable("INLET_URL")
  const ingestion =
    Option.getOrUndefined(options.ingestionUrl) ??
    (flag === undefined ? variable("INLET_INGESTION_URL") : undefined)
  return {
    url: yield* urlFrom(chosen ?? localUrl("INLET_OPERATOR_PORT"), cliTexts.wrongUrl()),
    ingestionUrl: yield* urlFrom(
      ingestion ?? chosen ?? localUrl("INLET_PORT"),
      ingestion === undefined ? cliTexts.wrongUrl() : cliTexts.wrongIngestionUrl(),
    ),
  }
})

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

const urlFrom = (text: string, message: string): Effect.Effect<URL, WrongOption> => {
  const url = URL.parse(text)
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(url)
    : Effect.fail(new WrongOption({ message }))
}

const withoutSlash = ({ href }: URL): string => href.replace(/\/$/, "")

const workspaceOf = Effect.fnUntraced(function* (flag: Option.Option<string>) {
  const fromVariable = variable("INLET_WORKSPACE")
  const from = Option.isSome(flag) ? "--workspace" : fromVariable === undefined ? null : "INLET_WORKSPACE"
  const text = Option.getOrElse(flag, () => fromVariable ?? "1")
  const { w } = yield* Schema.decodeUnknownEffect(ImportParams)({
    w: /^\d{1,15}$/.test(text) ? Number(text) : text,
  }).pipe(Effect.mapError(() => new WrongOption({ message: cliTexts.wrongWorkspace() })))
  return { workspace: w, workspaceFrom: from }
})

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
