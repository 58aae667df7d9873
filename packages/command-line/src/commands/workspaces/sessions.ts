import { SessionCursor } from "@inlethq/contract/values/Cursor"
import type { OpenSessionDocument } from "@inlethq/contract/workspaces/Sessions"
import { Argument, Command } from "effect/cli"
import { pageFlags } from "../../flags/flags.ts"
import { timeColumn } from "../../output/table.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { command, confirming, listing, raw, type Resource } from "../shared/resource.ts"

const sessions: Resource<OpenSessionDocument> = {
  group: "sessions",
  about: "See who is signed in to the console, and end sessions",
  columns: [
    { heading: "SESSION_ID", text: ({ session_id }) => session_id },
    { heading: "NAME", text: ({ name }) => name, style: () => "bold", shrinks: true },
    { heading: "BY", text: ({ kind }) => kind },
    { heading: "RIGHTS", text: (session) => rightsText(session) },
    timeColumn("CREATED", ({ created_at }) => created_at),
    { ...timeColumn("EXPIRES", ({ expires_at }) => expires_at), isOptional: false },
  ],
  empty: "Nobody is signed in",
  examples: {
    list: { "inlet sessions list": "Newest first" },
    revoke: { "inlet sessions revoke 0f3a5c7e9b1d2468ace0 --yes": "End a session without a question" },
  },
}

/** Returns each scope with its workspaces, such as `write 1,2; read all`. */
const rightsText = ({ grants }: Pick<OpenSessionDocument, "grants">): string =>
  grants
    .map(({ scope, workspaces }) => `${scope} ${workspaces === null ? "all" : workspaces.join(",")}`)
    .join("; ")

const list = command(
  sessions,
  "list",
  "List the sessions of the console, with who opened each and what it may do",
  pageFlags(SessionCursor),
  listing(sessions, ({ client }, query) => client.sessions.list({ query, ...raw })),
)

const revoke = command(
  sessions,
  "revoke",
  "End a session of the console; it stops working within a second",
  {
    session: Argument.String("session_id").pipe(
      Argument.withDescription("The id that `inlet sessions list` shows"),
    ),
    ...confirmFlag,
  },
  confirming(
    ({ session }) => `End session ${session}? Whoever uses it has to sign in again.`,
    ({ client }, { session }) => client.sessions.revoke({ params: { session_id: session } }),
    ({ session }) => `ended ${session}`,
  ),
)

export const sessionsCommand = Command.make(sessions.group).pipe(
  Command.withDescription(sessions.about),
  Command.withSubcommands([list, revoke]),
)
