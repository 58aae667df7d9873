import { Clock, Context, Effect, FileSystem, Layer, Option, Path, Redacted } from "effect"
import { Registry } from "@inlethq/core/ports/Registry"
import type { StoreUnavailable } from "@inlethq/core/ports/Store"
import { defaultSettings, type Workspace } from "@inlethq/core/workspace/Workspace"
import { Installation, type Joined } from "@inlethq/storage-postgres/installation/Installation"
import { digestOf, newPublicId, newSecret, storedSecret } from "@inlethq/http/credentials/Secret"
import { Settings, type ServerSettings } from "./Settings.ts"

/** The credentials of a new installation in plain text. The server stores only digests of the two keys. */
export interface FirstCredentials {
  readonly siteId: string
  readonly apiKey: string
  readonly writeKey: string
}

const tokenFileName = "management-token"
const ownerOnly = 0o600

/** The management token. A node that did not make the token may know only its digest. */
export interface Token {
  /** The SHA-256 of the token in lower-case hex. */
  readonly digest: string
  /**
   * The token itself. The option is empty if another node made the token, because only the digest of the token is
   * stored.
   */
  readonly value: Option.Option<Redacted.Redacted>
  /** True if this start made the token and stored only its digest. */
  readonly mustBePrinted: boolean
  /** The file that contains the token. The option is empty if the token has no file. */
  readonly file: Option.Option<string>
}

/** The management token, and the credentials that the first start created. */
export interface FirstStarted {
  /** The credentials of workspace 1 if this start created the workspace. */
  readonly credentials: Option.Option<FirstCredentials>
  readonly token: Token
}

/** Makes the management token, and workspace 1 with its keys, if they are missing. */
export class FirstStart extends Context.Service<
  FirstStart,
  {
    /**
     * The management token. The option is empty for a store that many nodes share, unless the operator set the token.
     */
    readonly token: Option.Option<Token>
    /**
     * Makes the management token and workspace 1 if they are missing. Must run after all other steps of the start that
     * can fail, because new credentials are shown only once.
     */
    readonly finish: Effect.Effect<FirstStarted, StoreUnavailable>
  }
>()("@inlethq/runtime/FirstStart") {
  /** The layer for a store that one process uses. The token is stored in a file in the data directory. */
  static readonly layerLocal = Layer.effect(
    this,
    Effect.gen(function* () {
      const token = yield* localToken
      const context = yield* Effect.context<Registry | Settings>()
      const finish = Effect.map(createFirstWorkspace, (credentials) => ({ credentials, token }))
      return { token: Option.some(token), finish: Effect.provide(finish, context) }
    }),
  )

  /**
   * The layer for a store that many nodes share. If several nodes start at the same time, only one of them makes
   * workspace 1 and the token.
   */
  static readonly layerShared = Layer.effect(
    this,
    Effect.gen(function* () {
      const installation = yield* Installation
      const settings = yield* Settings
      const chosen = Option.map(settings.managementToken, tokenOf)
      const finish = Effect.gen(function* () {
        const made = tokenOf(Redacted.make(yield* newSecret))
        const credentials = yield* firstCredentials(settings)
        const joined = yield* installation.join({
          tokenDigest: Option.isSome(chosen) ? undefined : made.digest,
          settings: firstSettings(settings),
          keys: yield* firstKeys(credentials),
        })
        return {
          credentials: joined.madeWorkspace ? Option.some(credentials) : Option.none(),
          token: Option.getOrElse(chosen, () => sharedToken(joined, made)),
        }
      })
      return { token: chosen, finish }
    }),
  )
}

const tokenOf = (value: Redacted.Redacted): Token => ({
  digest: digestOf(Redacted.value(value)),
  value: Option.some(value),
  mustBePrinted: false,
  file: Option.none(),
})

const sharedToken = ({ madeToken, tokenDigest = "" }: Joined, made: Token): Token =>
  madeToken
    ? { ...made, mustBePrinted: true }
    : { digest: tokenDigest, value: Option.none(), mustBePrinted: false, file: Option.none() }

/**
 * Creates workspace 1 and its keys if the store has no workspace yet. Returns the new credentials, or an empty option
 * on later starts.
 */
const createFirstWorkspace = Effect.gen(function* () {
  const registry = yield* Registry
  const settings = yield* Settings
  if ((yield* registry.workspaces).length > 0) return Option.none<FirstCredentials>()
  const credentials = yield* firstCredentials(settings)
  yield* registry
    .createWorkspace(firstSettings(settings), yield* firstKeys(credentials))
    // An empty store always has room for one workspace.
    .pipe(Effect.catchTag("TooManyWorkspaces", Effect.die))
  return Option.some(credentials)
})

/** Returns the settings of workspace 1. */
const firstSettings = ({ omit, region }: ServerSettings): Omit<Workspace, "id"> => ({
  ...defaultSettings("default", region),
  omit,
})

/** Returns the credentials of workspace 1. Generates each credential that the operator did not set. */
const firstCredentials = Effect.fnUntraced(function* (settings: ServerSettings) {
  const credentials: FirstCredentials = {
    siteId: Option.isSome(settings.siteId) ? settings.siteId.value : yield* newPublicId,
    apiKey: yield* chosenOrNew(settings.apiKey),
    writeKey: yield* chosenOrNew(settings.writeKey),
  }
  return credentials
})

const chosenOrNew = Option.match({
  onNone: () => newSecret,
  onSome: (chosen: Redacted.Redacted) => Effect.succeed(Redacted.value(chosen)),
})

const firstKeys = Effect.fnUntraced(function* ({ apiKey, siteId, writeKey }: FirstCredentials) {
  const createdAt = yield* Clock.currentTimeMillis
  const common = { name: "default", createdAt, lastUsedAt: null, expiresAt: null }
  const [track, pipelines] = [yield* newPublicId, yield* newPublicId]
  return [
    { ...common, ...storedSecret(apiKey), keyId: track, kind: "track", siteId },
    { ...common, ...storedSecret(writeKey), keyId: pipelines, kind: "pipelines", siteId: null },
  ] as const
})

/**
 * Returns the management token from the environment or from the data directory. If neither has a token, generates one
 * and stores it in the data directory.
 */
const localToken = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isSome(settings.managementToken)) return tokenOf(settings.managementToken.value)
  if (settings.store.kind === "memory") {
    return { ...tokenOf(Redacted.make(yield* newSecret)), mustBePrinted: true }
  }
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(settings.dataDirectory, tokenFileName)
  const inFile = (token: string): Token => ({ ...tokenOf(Redacted.make(token)), file: Option.some(file) })
  if (yield* files.exists(file)) {
    yield* files.chmod(file, ownerOnly)
    const stored = (yield* files.readFileString(file)).trim()
    if (stored !== "") return inFile(stored)
  }
  const made = yield* newSecret
  yield* files.writeFileString(file, `${made}\n`, { mode: ownerOnly })
  yield* files.chmod(file, ownerOnly)
  return inFile(made)
})
