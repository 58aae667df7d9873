import { TokenCursor } from "@inlethq/contract/values/Cursor"
import type { TokenDocument } from "@inlethq/contract/workspaces/Tokens"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { Clock, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { expiryAfter, expiryFlag } from "../../flags/expiryFlag.ts"
import { pageFlags } from "../../flags/flags.ts"
import { drawFields } from "../../output/fields.ts"
import { timeColumn } from "../../output/table.ts"
import { fullTime } from "../../output/times.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { command, confirming, listing, raw, showing, type Resource } from "../shared/resource.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(WorkspaceId))

const tokens: Resource<TokenDocument> = {
  group: "tokens",
  about: "Manage the management tokens of a team",
  columns: [
    { heading: "TOKEN_ID", text: ({ token_id }) => token_id },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "SCOPE", text: ({ scope }) => scope },
    { heading: "WORKSPACES", text: (token) => workspacesText(token) },
    { heading: "PREFIX", text: ({ prefix }) => prefix },
    timeColumn("CREATED", ({ created_at }) => created_at),
    { ...timeColumn("LAST USED", ({ last_used_at }) => last_used_at, "never"), isOptional: false },
    { ...timeColumn("EXPIRES", ({ expires_at }) => expires_at, "never"), isOptional: false },
  ],
  empty: "No tokens",
  examples: {
    create: {
      "inlet tokens create dashboard": "A token that reads all workspaces",
      "inlet tokens create import-job --scope write --only 1 --only 2 --expires-in 52w":
        "A token that writes data of two workspaces for a year",
    },
    list: { "inlet tokens list": "Newest first" },
    revoke: { "inlet tokens revoke 0f3a5c7e9b1d2468ace0 --yes": "Revoke without a question" },
  },
}

const workspacesText = ({ workspaces }: Pick<TokenDocument, "workspaces">): string =>
  workspaces === null ? "all" : workspaces.join(",")

const create = command(
  tokens,
  "create",
  "Create a management token and print it once",
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
    masked: Flag.Boolean("masked").pipe(
      Flag.withDescription(
        "Mask identifiers and texts of people in every answer, for assistants and dashboards",
      ),
      Flag.withDefault(false),
    ),
    expiresIn: expiryFlag,
  },
  showing(
    ({ client }, { expiresIn, masked, name, only, scope }) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const expires_at = Option.getOrNull(Option.map(expiresIn, (lifetime) => expiryAfter(lifetime, now)))
        const workspaces = only.length === 0 ? null : yield* decodeIds(only)
        return yield* client.tokens.create({
          payload: { name, scope, workspaces, masked, expires_at },
          ...raw,
        })
      }),
    (token, screen) =>
      drawFields(screen, [
        ["token id", token.token_id],
        ["name", token.name],
        ["scope", token.scope],
        ["workspaces", workspacesText(token)],
        ["masked", token.masked ? "yes" : "no"],
        ["token", token.token],
        ["expires", token.expires_at === null ? "never" : fullTime(screen.times, token.expires_at)],
      ]),
    "Save the token now. It is not shown again.",
  ),
)

const list = command(
  tokens,
  "list",
  "List management tokens without their secrets, and when each was last used",
  pageFlags(TokenCursor),
  listing(tokens, ({ client }, query) => client.tokens.list({ query, ...raw })),
)

const revoke = command(
  tokens,
  "revoke",
  "Revoke a management token; it and its sessions stop working within a second",
  {
    token: Argument.String("token_id").pipe(
      Argument.withDescription("The id that `inlet tokens list` shows"),
    ),
    ...confirmFlag,
  },
  confirming(
    ({ token }) => `Revoke token ${token}? Requests with it are refused from then on.`,
    ({ client }, { token }) => client.tokens.revoke({ params: { token_id: token } }),
    ({ token }) => `revoked ${token}`,
  ),
)

export const tokensCommand = Command.make(tokens.group).pipe(
  Command.withDescription(tokens.about),
  Command.withSubcommands([create, list, revoke]),
)
