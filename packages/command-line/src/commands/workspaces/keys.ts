import { KeyCursor } from "@inlethq/contract/values/Cursor"
import type { IssuedKey, KeyDocument } from "@inlethq/contract/workspaces/Keys"
import { AppScope, KeyKind } from "@inlethq/core/workspace/Credentials"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { expiryAfter, expiryFlag } from "../../flags/expiryFlag.ts"
import { pageFlags } from "../../flags/flags.ts"
import { drawFields } from "../../output/fields.ts"
import { timeColumn } from "../../output/table.ts"
import { fullTime } from "../../output/times.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { command, confirming, listing, raw, showing, type Resource } from "../shared/resource.ts"

const keys: Resource<KeyDocument> = {
  group: "keys",
  about: "Manage the keys of the Track, Pipelines and App APIs",
  columns: [
    { heading: "KEY_ID", text: ({ key_id }) => key_id },
    { heading: "KIND", text: ({ kind }) => kind },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "SITE_ID", text: ({ site_id }) => site_id ?? "" },
    { heading: "PREFIX", text: ({ prefix }) => prefix ?? "", isOptional: true },
    timeColumn("CREATED", ({ created_at }) => created_at),
    { ...timeColumn("LAST USED", ({ last_used_at }) => last_used_at, "never"), isOptional: false },
    timeColumn("EXPIRES", ({ expires_at }) => expires_at, "never"),
    { heading: "SCOPE", text: ({ scope }) => scope ?? "", isOptional: true },
  ],
  empty: "No keys",
  examples: {
    create: {
      "inlet keys create backend --kind track": "A site id and API key for the Track API",
      "inlet keys create web": "A write key for the Pipelines API",
      "inlet keys create crm --kind app": "A key that reads over the App API",
      "inlet keys create trial --expires-in 90d": "A write key that works for 90 days",
    },
    list: { "inlet keys list": "Newest first" },
    revoke: { "inlet keys revoke 0f3a5c7e9b1d2468ace0 --yes": "Revoke without a question" },
  },
}

const create = command(
  keys,
  "create",
  "Create a key and print its secret once",
  {
    name: Argument.String("name").pipe(Argument.withDescription("A name for operators")),
    kind: Flag.Literals("kind", KeyKind.literals).pipe(
      Flag.withDescription("The API that the key is for (default: pipelines)"),
      Flag.withDefault("pipelines"),
    ),
    scope: Flag.Literals("scope", AppScope.literals).pipe(
      Flag.withDescription("What an app key may do (default: read)"),
      Flag.optional,
    ),
    expiresIn: expiryFlag,
  },
  showing(
    ({ client, w }, { expiresIn, kind, name, scope }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const expires_at = Option.getOrNull(Option.map(expiresIn, (lifetime) => expiryAfter(lifetime, now)))
        const payload = { kind, name, expires_at, ...(Option.isSome(scope) && { scope: scope.value }) }
        return client.keys.create({ params: { w }, payload, ...raw })
      }),
    (key, screen) =>
      drawFields(screen, [
        ["key id", key.key_id],
        ["kind", key.kind],
        ["name", key.name],
        ...secretsOf(key),
        ["expires", key.expires_at === null ? "never" : fullTime(screen.times, key.expires_at)],
      ]),
    "Save the secret now. It is not shown again.",
  ),
)

const secretsOf = (key: IssuedKey): ReadonlyArray<readonly [string, string]> => {
  switch (key.kind) {
    case "track":
      return [
        ["site id", key.site_id],
        ["api key", key.api_key],
      ]
    case "pipelines":
      return [["write key", key.write_key]]
    case "app":
      return [
        ["scope", key.scope],
        ["app key", key.app_key],
      ]
  }
}

const list = command(
  keys,
  "list",
  "List keys without their secrets, and when each was last used",
  pageFlags(KeyCursor),
  listing(keys, ({ client, w }, query) => client.keys.list({ params: { w }, query, ...raw })),
)

const revoke = command(
  keys,
  "revoke",
  "Revoke a key; it stops working within a second",
  {
    key: Argument.String("key_id").pipe(Argument.withDescription("The id that `inlet keys list` shows")),
    ...confirmFlag,
  },
  confirming(
    ({ key }) => `Revoke key ${key}? Calls with it are refused from then on.`,
    ({ client, w }, { key }) => client.keys.revoke({ params: { w, key_id: key } }),
    ({ key }) => `revoked ${key}`,
  ),
)

export const keysCommand = Command.make(keys.group).pipe(
  Command.withDescription(keys.about),
  Command.withSubcommands([create, list, revoke]),
)
