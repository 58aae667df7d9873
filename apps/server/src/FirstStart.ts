import { Clock, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { Registry } from "@inlet/core/ports/Registry"
import { defaultSettings } from "@inlet/core/workspace/Workspace"
import { digestOf, newPublicId, newSecret } from "./Secret.ts"
import { Settings } from "./Settings.ts"

/** The credentials of a new installation in plain text. The server stores only digests of the two keys. */
export interface FirstCredentials {
  readonly siteId: string
  readonly apiKey: string
  readonly writeKey: string
}

const tokenFileName = "management-token"
const ownerOnly = 0o600

/**
 * Creates workspace 1 and its keys if the store has no workspace yet. Returns the new credentials, or `None` on later
 * starts.
 */
export const createFirstWorkspace = Effect.gen(function* () {
  const registry = yield* Registry
  const settings = yield* Settings
  if ((yield* registry.workspaces).length > 0) return Option.none<FirstCredentials>()
  const credentials: FirstCredentials = {
    siteId: Option.isSome(settings.siteId) ? settings.siteId.value : yield* newPublicId,
    apiKey: yield* chosenOrNew(settings.apiKey),
    writeKey: yield* chosenOrNew(settings.writeKey),
  }
  yield* registry.createWorkspace(defaultSettings("default", settings.region), yield* firstKeys(credentials))
  return Option.some(credentials)
})

const chosenOrNew = Option.match({
  onNone: () => newSecret,
  onSome: (chosen: Redacted.Redacted) => Effect.succeed(Redacted.value(chosen)),
})

const firstKeys = Effect.fnUntraced(function* ({ apiKey, siteId, writeKey }: FirstCredentials) {
  const common = { name: "default", createdAt: yield* Clock.currentTimeMillis }
  const [track, pipelines] = [yield* newPublicId, yield* newPublicId]
  return [
    { ...common, keyId: track, kind: "track", siteId, digest: digestOf(apiKey) },
    { ...common, keyId: pipelines, kind: "pipelines", siteId: null, digest: digestOf(writeKey) },
  ] as const
})

/** The token of the management API, and whether this start of the server generated it. */
export interface Token {
  readonly value: Redacted.Redacted
  readonly isNew: boolean
  /**
   * The file that contains the token. `None` if the environment sets the token or if the server uses the memory store.
   */
  readonly file: Option.Option<string>
}

/**
 * Returns the management token from the environment or from the data directory. If neither has a token, generates one
 * and stores it in the data directory.
 */
export const managementToken: Effect.Effect<
  Token,
  Effect.Error<ReturnType<FileSystem.FileSystem["readFileString"]>>,
  Settings | FileSystem.FileSystem | Path.Path
> = Effect.gen(function* () {
  const settings = yield* Settings
  if (Option.isSome(settings.managementToken)) {
    return { value: settings.managementToken.value, isNew: false, file: Option.none() }
  }
  if (settings.store === "memory")
    return { value: Redacted.make(yield* newSecret), isNew: true, file: Option.none() }
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(settings.dataDirectory, tokenFileName)
  if (yield* files.exists(file)) {
    yield* files.chmod(file, ownerOnly)
    const stored = (yield* files.readFileString(file)).trim()
    if (stored !== "") return { value: Redacted.make(stored), isNew: false, file: Option.some(file) }
  }
  const made = yield* newSecret
  yield* files.writeFileString(file, `${made}\n`, { mode: ownerOnly })
  yield* files.chmod(file, ownerOnly)
  return { value: Redacted.make(made), isNew: true, file: Option.some(file) }
})
