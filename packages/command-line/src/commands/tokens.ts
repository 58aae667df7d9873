import { TokenCursor } from "@inlet/api/management/Cursor"
import type { TokenDocument } from "@inlet/api/management/Tokens"
import { WorkspaceId } from "@inlet/core/values/Identifier"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Clock, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { expiryAfter, expiryFlag } from "../expiryFlag.ts"
import { pageFlags } from "../flags.ts"
import { drawFields } from "../output/fields.ts"
import { printNote } from "../output/note.ts"
import { timeColumn, type Column } from "../output/table.ts"
import { fullTime } from "../output/times.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"
import { confirmFlag, orNotConfirmed } from "./confirm.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(WorkspaceId))

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(
      Argument.withDescription("The person or program that will use the token"),
    ),
    scope: Flag.Literals("scope", ["read", "write", "admin"]).pipe(
      Flag.withDescription(
        "What the token may do: read; also write data; also change settings, keys and webhooks (default: read)",
      ),
      Flag.withDefault("read"),
    ),
    only: Flag.Int("only").pipe(
      Flag.withMetavar("WORKSPACE"),
      Flag.withDescription("Limit the token to this workspace; can be repeated"),
      Flag.atLeast(0),
    ),
    expiresIn: expiryFlag,
  },
  Effect.fnUntraced(function* ({ expiresIn, name, only, scope }) {
    const client = yield* ManagementClient
    const now = yield* Clock.currentTimeMillis
    const expires_at = Option.getOrNull(Option.map(expiresIn, (lifetime) => expiryAfter(lifetime, now)))
    const workspaces = only.length === 0 ? null : yield* decodeIds(only)
    yield* show(
      client.tokens.create({
        payload: { name, scope, workspaces, expires_at },
        responseMode: "decoded-and-response",
      }),
      (token, screen) =>
        drawFields(screen, [
          ["token id", token.token_id],
          ["name", token.name],
          ["scope", token.scope],
          ["workspaces", workspacesText(token)],
          ["token", token.token],
          ["expires", token.expires_at === null ? "never" : fullTime(screen.times, token.expires_at)],
        ]),
    )
    yield* printNote("Save the token now. It is not shown again.")
  }, onServer),
).pipe(
  Command.withDescription("Create a management token and print it once"),
  Command.withExamples([
    { command: "inlet tokens create dashboard", description: "A token that reads all workspaces" },
    {
      command: "inlet tokens create import-job --scope write --only 1 --only 2 --expires-in 52w",
      description: "A token that writes data of two workspaces for a year",
    },
  ]),
)

const workspacesText = ({ workspaces }: Pick<TokenDocument, "workspaces">): string =>
  workspaces === null ? "all" : workspaces.join(",")

const columns: ReadonlyArray<Column<TokenDocument>> = [
  { heading: "TOKEN_ID", text: ({ token_id }) => token_id },
  { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
  { heading: "SCOPE", text: ({ scope }) => scope },
  { heading: "WORKSPACES", text: workspacesText },
  { heading: "PREFIX", text: ({ prefix }) => prefix },
  timeColumn("CREATED", ({ created_at }) => created_at),
  { ...timeColumn("LAST USED", ({ last_used_at }) => last_used_at, "never"), isOptional: false },
  { ...timeColumn("EXPIRES", ({ expires_at }) => expires_at, "never"), isOptional: false },
]

const list = Command.make(
  "list",
  pageFlags(TokenCursor),
  Effect.fnUntraced(function* (page) {
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) => client.tokens.list({ query, responseMode: "decoded-and-response" }),
      columns,
      "No tokens",
    )
  }, onServer),
).pipe(
  Command.withDescription("List management tokens without their secrets, and when each was last used"),
  Command.withExamples([{ command: "inlet tokens list", description: "Newest first" }]),
)

const revoke = Command.make(
  "revoke",
  {
    token: Argument.String("token_id").pipe(
      Argument.withDescription("The id that `inlet tokens list` shows"),
    ),
    ...confirmFlag,
  },
  Effect.fnUntraced(function* ({ token, yes }) {
    yield* orNotConfirmed(yes, `Revoke token ${token}? Requests with it are refused from then on.`)
    const client = yield* ManagementClient
    yield* client.tokens.revoke({ params: { token_id: token } })
    yield* printNote(`revoked ${token}`)
  }, onServer),
).pipe(
  Command.withDescription("Revoke a management token; it and its sessions stop working within a second"),
  Command.withExamples([
    {
      command: "inlet tokens revoke 0f3a5c7e9b1d2468ace0 --yes",
      description: "Revoke without a question",
    },
  ]),
)

export const tokensCommand = Command.make("tokens").pipe(
  Command.withDescription("Manage the management tokens of a team"),
  Command.withSubcommands([create, list, revoke]),
)
