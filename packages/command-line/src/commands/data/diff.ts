import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect, Layer, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { compareWorkspaces } from "../../diff/compareWorkspaces.ts"
import { differencePrinter } from "../../diff/differencePrinter.ts"
import { Side } from "../../diff/Side.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { count } from "../../output/text.ts"
import { addressFrom, Connection, workspaceFrom } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { variable } from "../../server/variable.ts"

/** Returns the server and the workspace that `URL#2` names. Without a URL it is the server of the other workspace. */
const otherWorkspace = Effect.fnUntraced(function* (text: string) {
  const connection = yield* Connection
  const at = text.lastIndexOf("#")
  if (at < 0) return yield* new WrongOption({ message: cliTexts.wrongOther() })
  const url = at === 0 ? connection.url : yield* addressFrom(text.slice(0, at), cliTexts.wrongOther())
  const given = variable("INLET_WITH_TOKEN")
  // The token of one server is never sent to another.
  if (given === undefined && url !== connection.url) {
    return yield* new WrongOption({ message: cliTexts.otherTokenMissing({ url }) })
  }
  const token = given === undefined ? yield* Effect.fromResult(connection.token) : Redacted.make(given)
  return { url, token, workspace: yield* workspaceFrom(text.slice(at + 1)) }
})

export const diffCommand = Command.make(
  "diff",
  {
    with: Flag.String("with").pipe(
      Flag.withMetavar("URL#workspace"),
      Flag.withDescription(
        "The other workspace, such as https://inlet.example.com#2, or #2 on the same server. `INLET_WITH_TOKEN` is the management token of another server",
      ),
    ),
  },
  Effect.fnUntraced(function* ({ with: text }) {
    const { workspace } = yield* Connection
    const { isWanted: json } = yield* JsonOutput
    const show = differencePrinter({ here: "HERE", there: "THERE" })
    const other = yield* otherWorkspace(text)
    const here = new Side(yield* ManagementClient, workspace)
    const layer = ManagementClient.layer({ url: other.url, token: other.token })
    const there = new Side(yield* Effect.provide(ManagementClient, Layer.fresh(layer)), other.workspace)
    let found = 0
    yield* compareWorkspaces(
      here,
      there,
      Effect.fnUntraced(function* (differences) {
        yield* show(differences)
        found += differences.length
      }),
    )
    if (found > 0)
      return yield* new CommandFailed({ message: cliTexts.workspacesDiffer({ found: count(found) }) })
    if (!json) yield* printNote("The workspaces are the same")
  }, onServer),
).pipe(
  Command.withDescription(
    "Compare two workspaces, person by person: identifiers, attributes, devices, objects and segments. Exits with 1 if anything differs",
  ),
  Command.withExamples([
    { command: "inlet diff --workspace 1 --with '#2'", description: "Two workspaces of one server" },
    {
      command: "inlet diff --workspace 1 --with https://inlet.example.com#2 --json",
      description: "With another server, one difference a line",
    },
  ]),
)
