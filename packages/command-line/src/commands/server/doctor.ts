import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import manifest from "../../../package.json" with { type: "json" }
import { cliTexts } from "../../texts/cliTexts.ts"
import { drawCheck } from "../../doctor/Check.ts"
import { checkMachine } from "../../doctor/machineChecks.ts"
import { checkServer } from "../../doctor/serverChecks.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { currentScreen } from "../../output/Screen.ts"
import { onIngestion } from "../../server/onServer.ts"
import { printLines } from "../../server/show.ts"

export const doctorCommand = Command.make(
  "doctor",
  {},
  Effect.fnUntraced(function* () {
    const { isWanted, print } = yield* JsonOutput
    const server = yield* checkServer(manifest.version)
    const usesDatabase = server.some(({ name }) => name === "database")
    const checks = [...(yield* checkMachine(usesDatabase)), ...server]
    const screen = yield* currentScreen
    yield* isWanted
      ? print(JSON.stringify({ checks }))
      : printLines(checks.flatMap((check) => drawCheck(screen, check)))
    const problems = checks.filter(({ status }) => status === "failed").length
    if (problems > 0) return yield* new CommandFailed({ message: cliTexts.doctorFound({ count: problems }) })
  }, onIngestion),
).pipe(
  Command.withDescription(
    "Check Node, the data directory, the disk, the clock and the server, and print what to do about each problem",
  ),
  Command.withExamples([
    { command: "inlet doctor", description: "Check this machine and the server on it" },
    {
      command: "inlet doctor --url https://inlet.example.com --token …",
      description: "Check another server",
    },
  ]),
)
