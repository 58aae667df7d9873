import { KeyCursor } from "@inlet/api/management/Cursor"
import type { KeyDocument } from "@inlet/api/management/Keys"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Clock, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { expiryAfter, expiryFlag } from "../expiryFlag.ts"
import { pageFlags } from "../flags.ts"
import { drawFields } from "../output/fields.ts"
import { printNote } from "../output/note.ts"
import { timeColumn, type Column } from "../output/table.ts"
import { fullTime } from "../output/times.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { confirmFlag, orNotConfirmed } from "./confirm.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("A name for operators")),
    kind: Flag.Literals("kind", ["track", "pipelines"]).pipe(
      Flag.withDescription("The API that the key is for (default: pipelines)"),
      Flag.withDefault("pipelines"),
    ),
    expiresIn: expiryFlag,
  },
  Effect.fnUntraced(function* ({ expiresIn, kind, name }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const now = yield* Clock.currentTimeMillis
    const expires_at = Option.getOrNull(Option.map(expiresIn, (lifetime) => expiryAfter(lifetime, now)))
    yield* show(
      client.keys.create({
        params: { w: workspace },
        payload: { kind, name, expires_at },
        responseMode: "decoded-and-response",
      }),
      (key, screen) =>
        drawFields(screen, [
          ["key id", key.key_id],
          ["kind", key.kind],
          ["name", key.name],
          ...(key.kind === "track"
            ? ([
                ["site id", key.site_id],
                ["api key", key.api_key],
              ] as const)
            : ([["write key", key.write_key]] as const)),
          ["expires", key.expires_at === null ? "never" : fullTime(screen.times, key.expires_at)],
        ]),
    )
    yield* printNote("Save the secret now. It is not shown again.")
  }, onServer),
).pipe(
  Command.withDescription("Create a key and print its secret once"),
  Command.withExamples([
    {
      command: "inlet keys create backend --kind track",
      description: "A site id and API key for the Track API",
    },
    { command: "inlet keys create web", description: "A write key for the Pipelines API" },
    {
      command: "inlet keys create trial --expires-in 90d",
      description: "A write key that works for 90 days",
    },
  ]),
)

const columns: ReadonlyArray<Column<KeyDocument>> = [
  { heading: "KEY_ID", text: ({ key_id }) => key_id },
  { heading: "KIND", text: ({ kind }) => kind },
  { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
  { heading: "SITE_ID", text: ({ site_id }) => site_id ?? "" },
  { heading: "PREFIX", text: ({ prefix }) => prefix ?? "", isOptional: true },
  timeColumn("CREATED", ({ created_at }) => created_at),
  { ...timeColumn("LAST USED", ({ last_used_at }) => last_used_at, "never"), isOptional: false },
  timeColumn("EXPIRES", ({ expires_at }) => expires_at, "never"),
]

const list = Command.make(
  "list",
  pageFlags(KeyCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) => client.keys.list({ params: { w: workspace }, query, responseMode: "decoded-and-response" }),
      columns,
      "No keys",
    )
  }, onServer),
).pipe(
  Command.withDescription("List keys without their secrets, and when each was last used"),
  Command.withExamples([{ command: "inlet keys list", description: "Newest first" }]),
)

const revoke = Command.make(
  "revoke",
  {
    key: Argument.String("key_id").pipe(Argument.withDescription("The id that `inlet keys list` shows")),
    ...confirmFlag,
  },
  Effect.fnUntraced(function* ({ key, yes }) {
    const { workspace } = yield* Connection
    yield* orNotConfirmed(yes, `Revoke key ${key}? Calls with it are refused from then on.`)
    const client = yield* ManagementClient
    yield* client.keys.revoke({ params: { w: workspace, key_id: key } })
    yield* printNote(`revoked ${key}`)
  }, onServer),
).pipe(
  Command.withDescription("Revoke a key; it stops working within a second"),
  Command.withExamples([
    {
      command: "inlet keys revoke 0f3a5c7e9b1d2468ace0 --yes",
      description: "Revoke without a question",
    },
  ]),
)

export const keysCommand = Command.make("keys").pipe(
  Command.withDescription("Manage the keys of the ingestion APIs"),
  Command.withSubcommands([create, list, revoke]),
)
