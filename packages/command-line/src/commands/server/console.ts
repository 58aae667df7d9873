import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { printNote } from "../../output/note.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show } from "../../server/show.ts"

export const consoleCommand = Command.make(
  "console",
  {},
  Effect.fnUntraced(function* () {
    const { url } = yield* Connection
    const client = yield* ManagementClient
    const call = client.signInLinks.create({ responseMode: "decoded-and-response" })
    yield* show(call, ({ path }) => [new URL(path, url).href])
    yield* printNote("Signs a browser in once, within 10 minutes, with the rights of the token that asked")
  }, onServer),
).pipe(
  Command.withDescription("Print a link that signs a browser in to the console once"),
  Command.withExamples([
    { command: "inlet console", description: "A link with the rights of the management token in use" },
  ]),
)
