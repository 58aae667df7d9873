import type { IssuedKey } from "@inlethq/contract/workspaces/Keys"
import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Option, Schema } from "effect"
import { CommandFailed } from "../texts/commandErrors.ts"
import { cliTexts } from "../texts/cliTexts.ts"
import { Connection, managementLayer } from "../server/Connection.ts"
import { fileProblem } from "../server/fileProblem.ts"
import { readPrivate, writePrivate } from "../server/PrivateFile.ts"
import { variable } from "../server/variable.ts"

/** The name of the keys that the command line creates. */
const keyName = "cli"

const Credential = Schema.Struct({
  kind: Schema.Literals(["track", "pipelines"]),
  user: Schema.String,
  password: Schema.String,
})

/** The user and the password of requests to an ingestion API (HTTP Basic authentication). */
export type Credential = typeof Credential.Type

/** The stored keys. The name of a key contains its server, workspace and kind. */
const KeyFile = Schema.fromJsonString(Schema.Record(Schema.String, Credential))

/** Returns the credential that the environment has for an ingestion API, and the names of its variables. */
export const givenKey = (
  kind: Credential["kind"],
): { readonly credential: Credential; readonly variables: string } | undefined => {
  if (kind === "pipelines") {
    const user = variable("INLET_WRITE_KEY")
    return user === undefined
      ? undefined
      : { credential: { kind, user, password: "" }, variables: "INLET_WRITE_KEY" }
  }
  const user = variable("INLET_SITE_ID")
  const password = variable("INLET_API_KEY")
  return user === undefined || password === undefined
    ? undefined
    : { credential: { kind, user, password }, variables: "INLET_SITE_ID and INLET_API_KEY" }
}

/**
 * Returns the key that the command line has stored for the selected server and workspace. Creates and stores a key if
 * there is none.
 */
export const ownKey = Effect.fnUntraced(function* (kind: Credential["kind"]) {
  const { url, workspace } = yield* Connection
  const stored = (yield* readKeys)[placeOf(url, workspace, kind)]
  return stored ?? (yield* newKey(kind))
})

/** Creates a key named `cli` through the management API, and stores it in a file that only this user can read. */
export const newKey = Effect.fnUntraced(function* (kind: Credential["kind"]) {
  const { url, workspace } = yield* Connection
  const client = yield* ManagementClient
  const made = yield* client.keys.create({ params: { w: workspace }, payload: { kind, name: keyName } })
  const credential = credentialOf(made, kind)
  yield* writeKeys({ ...(yield* readKeys), [placeOf(url, workspace, kind)]: credential })
  return credential
}, Effect.provide(managementLayer))

const credentialOf = (made: IssuedKey, kind: Credential["kind"]): Credential => {
  switch (made.kind) {
    case "track":
      return { kind, user: made.site_id, password: made.api_key }
    case "pipelines":
      return { kind, user: made.write_key, password: "" }
    case "app":
      return { kind, user: made.app_key, password: "" }
  }
}

const placeOf = (url: string, workspace: WorkspaceId, kind: Credential["kind"]): string =>
  `${url} ${workspace} ${kind}`

const file = "keys.json"

/** Reads the stored keys. Returns an empty record if the file is missing or damaged. */
const readKeys = Effect.map(
  Effect.orElseSucceed(readPrivate(file, KeyFile), () => Option.none<typeof KeyFile.Type>()),
  Option.getOrElse((): typeof KeyFile.Type => ({})),
)

const writeKeys = Effect.fnUntraced(
  function* (keys: typeof KeyFile.Type) {
    yield* writePrivate(file, KeyFile, keys)
  },
  Effect.catchTag("PlatformError", (error) =>
    Effect.fail(new CommandFailed({ message: cliTexts.keyNotStored({ problem: fileProblem(error) }) })),
  ),
)
