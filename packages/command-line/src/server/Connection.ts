import { ImportParams } from "@inlethq/contract/transfer/Imports"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Context, Effect, FileSystem, Layer, Option, Path, Redacted, Result, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { WrongOption } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { inlet } from "../flags/inlet.ts"
import { readProfiles, type Profile, type Profiles } from "./Profiles.ts"
import { variable } from "./variable.ts"

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
    /** The option, variable or profile that selects the workspace, or null if nothing does and `workspace` is the default. */
    readonly workspaceFrom: string | null
    /** True if the keys of the environment may be used, that is, unless `--profile` replaces the environment. */
    readonly readsKeys: boolean
  }
>()("@inlethq/command-line/server/Connection") {
  /** Provides the connection to the selected server, by default the server on this machine, and an HTTP client. */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const sources = yield* chosenSources
      const url = yield* addressFrom(
        sources.find((source) => source.url !== undefined)?.url ?? localUrl("INLET_OPERATOR_PORT"),
        cliTexts.wrongUrl(),
      )
      const chosen = sources.find(({ workspace }) => workspace !== undefined)
      return Layer.merge(
        Layer.succeed(Connection, {
          url,
          ingestionUrl: yield* ingestionUrlFrom(sources),
          token: yield* Effect.result(
            tokenFor(new URL(url), sources.find(({ token }) => token !== undefined)?.token),
          ),
          workspace: yield* workspaceFrom(chosen?.workspace ?? "1"),
          workspaceFrom: chosen?.workspaceFrom ?? null,
          readsKeys: sources.some(({ kind }) => kind === "environment"),
        }),
        FetchHttpClient.layer,
      )
    }),
  )
}

/** What the options, the environment or a profile say about the server. */
interface Source {
  readonly kind: "flags" | "environment" | "profile"
  readonly url: string | undefined
  readonly ingestionUrl: string | undefined
  readonly token: Redacted.Redacted | undefined
  readonly workspace: string | undefined
  /** What to call the source of the workspace in messages. */
  readonly workspaceFrom: string
}

/**
 * The sources that select the server, the most important first. Every value is taken from the first source that has it. The
 * environment does not count if `--profile` names a profile. A profile counts only for its own server, so that its
 * token is not sent to another one.
 */
const chosenSources = Effect.gen(function* () {
  const flags = yield* fromFlags
  const { profile: named } = yield* inlet
  const profile = yield* fromProfile(Option.getOrUndefined(named))
  const above = Option.isSome(named) ? [flags] : [flags, fromEnvironment()]
  const url = above.find((source) => source.url !== undefined)?.url
  const isOther = url !== undefined && profile?.url !== (yield* addressFrom(url, cliTexts.wrongUrl()))
  return profile === undefined || isOther ? above : [...above, profile]
})

const fromFlags = Effect.map(inlet, ({ ingestionUrl, token, url, workspace }): Source => ({
  kind: "flags",
  url: Option.getOrUndefined(url),
  ingestionUrl: Option.getOrUndefined(ingestionUrl),
  token: Option.getOrUndefined(token),
  workspace: Option.getOrUndefined(workspace),
  workspaceFrom: "--workspace",
}))

const fromEnvironment = (): Source => ({
  kind: "environment",
  url: variable("INLET_URL"),
  ingestionUrl: variable("INLET_INGESTION_URL"),
  token: redacted(variable("INLET_MANAGEMENT_TOKEN")),
  workspace: variable("INLET_WORKSPACE"),
  workspaceFrom: "INLET_WORKSPACE",
})

/** Returns the profile with a name, by default the one that `INLET_PROFILE` or `inlet profiles use` names. */
const fromProfile = Effect.fnUntraced(function* (flag: string | undefined) {
  const stored = yield* profilesOrFail
  const name = flag ?? variable("INLET_PROFILE") ?? stored.current
  if (name === null) return undefined
  const { ingestion_url, token, url, workspace } = yield* profileIn(stored, name)
  const source: Source = {
    kind: "profile",
    url,
    ingestionUrl: ingestion_url,
    token: redacted(token),
    workspace: workspace === undefined ? undefined : String(workspace),
    workspaceFrom: `profile ${name}`,
  }
  return source
})

const redacted = (text: string | undefined): Redacted.Redacted | undefined =>
  text === undefined ? undefined : Redacted.make(text)

/** Reads the profiles. Fails if their file is damaged, because the selected server is then unknown. */
export const profilesOrFail = Effect.mapError(
  readProfiles,
  ({ message }) =>
    new WrongOption({ message: cliTexts.wrongProfiles({ problem: message.replaceAll(/\s+/g, " ") }) }),
)

/** Returns the profile with a name, or fails. */
export const profileIn = ({ profiles }: Profiles, name: string): Effect.Effect<Profile, WrongOption> => {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return found === undefined
    ? Effect.fail(new WrongOption({ message: cliTexts.profileNotFound({ name }) }))
    : Effect.succeed(found)
}

/**
 * Returns the address of the ingestion APIs. `INLET_INGESTION_URL` belongs to the server of the environment, so it does
 * not count for the server of `--url`, which must not get the calls of another server.
 */
const ingestionUrlFrom = (sources: ReadonlyArray<Source>): Effect.Effect<string, WrongOption> => {
  const selecting = sources.find(({ url }) => url !== undefined)
  const given = sources.find(
    ({ ingestionUrl, kind }) =>
      ingestionUrl !== undefined && !(kind === "environment" && selecting?.kind === "flags"),
  )?.ingestionUrl
  return given === undefined
    ? addressFrom(selecting?.url ?? localUrl("INLET_PORT"), cliTexts.wrongUrl())
    : addressFrom(given, cliTexts.wrongIngestionUrl())
}

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

/** Returns an address without the slash at its end. Fails with `message` if it is not an http or https address. */
export const addressFrom = (text: string, message: string): Effect.Effect<string, WrongOption> => {
  const url = URL.parse(text)
  return url?.protocol === "http:" || url?.protocol === "https:"
    ? Effect.succeed(url.href.replace(/\/$/, ""))
    : Effect.fail(new WrongOption({ message }))
}

/** Returns the workspace with a number. */
export const workspaceFrom = (text: string): Effect.Effect<WorkspaceId, WrongOption> =>
  Schema.decodeUnknownEffect(ImportParams)({ w: /^\d{1,15}$/.test(text) ? Number(text) : text }).pipe(
    Effect.map(({ w }) => w),
    Effect.mapError(() => new WrongOption({ message: cliTexts.wrongWorkspace() })),
  )

const tokenFor = Effect.fnUntraced(function* (
  { hostname }: URL,
  given: Redacted.Redacted | undefined,
): Effect.fn.Return<Redacted.Redacted, WrongOption, FileSystem.FileSystem | Path.Path> {
  if (given !== undefined) return given
  // Never send the token of the local server to another host.
  const stored = isHere(hostname) ? yield* storedToken : Option.none<string>()
  if (Option.isSome(stored)) return Redacted.make(stored.value)
  return yield* new WrongOption({
    message: isHere(hostname)
      ? cliTexts.localTokenMissing({ directory: dataDirectory() })
      : cliTexts.tokenMissing(),
  })
})

/** Whether a host name is that of this machine. */
export const isHere = (hostname: string) =>
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
