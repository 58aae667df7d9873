import type { UsageDocument, WorkspaceDocument } from "@inlethq/contract/workspaces/Workspaces"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Console, Effect, Option } from "effect"
import { Command, Flag, Prompt, TerminalCapabilities } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { counted, printable } from "../../output/text.ts"
import { onServer } from "../../server/onServer.ts"
import { confirmFlag } from "../shared/confirm.ts"
import { workspaceArgument } from "./workspaceArgument.ts"

export const deleteWorkspace = Command.make(
  "delete",
  {
    workspace: workspaceArgument,
    ...confirmFlag,
    name: optionalFlag(
      Flag.String("name"),
      "With --yes: the name of the workspace, which confirms the deletion",
    ),
  },
  Effect.fnUntraced(function* ({ name, workspace: w, yes }) {
    const client = yield* ManagementClient
    const params = { w }
    if (yes && Option.isNone(name)) return yield* new WrongOption({ message: cliTexts.nameMissing() })
    const workspace = yield* client.workspaces.get({ params })
    yield* Console.error(lossOf(workspace, yield* client.workspaces.usage({ params })))
    const given = yes && Option.isSome(name) ? name.value : yield* askForName
    if (given !== workspace.name) return yield* new CommandFailed({ message: cliTexts.otherName() })
    yield* client.workspaces.delete({ params, query: { name: given } })
    yield* Console.error(`deleted workspace ${w}; the server now erases its data`)
  }, onServer),
).pipe(
  Command.withDescription("Delete a workspace with all of its data; asks for its name"),
  Command.withExamples([
    { command: "inlet workspaces delete 4", description: "Show what will be lost, and ask for the name" },
    { command: "inlet workspaces delete 4 --yes --name shop", description: "Delete without a question" },
  ]),
)

/** Says what a deletion removes. */
const lossOf = ({ environment_id, name }: WorkspaceDocument, usage: UsageDocument): string => {
  const { activity, objects, people } = usage
  const isExact = activity.exact && objects.exact && people.exact
  const counts = [
    counted(people.items, "person", "people"),
    counted(objects.items, "object", "objects"),
    `${counted(activity.items, "entry", "entries")} of the activity log, events included`,
  ]
  return `Workspace ${environment_id}, ${printable(name)}, has ${isExact ? "" : "about "}${counts.join(", ")}. A deleted workspace cannot be restored.`
}

const question = "Type the name of the workspace to delete it:"

const askForName = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  if (!canPrompt) return yield* new WrongOption({ message: cliTexts.nameMissing() })
  return yield* Prompt.run(Prompt.String({ message: question })).pipe(
    Effect.catchTag("QuitError", () => Effect.interrupt),
    orInterrupted(cliTexts.notConfirmed()),
  )
})
