import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import manifest from "../../../package.json" with { type: "json" }
import { JsonOutput } from "../../output/JsonOutput.ts"
import { addressFrom } from "../../server/Connection.ts"
import { printLines } from "../../server/show.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { Installation, upgradeSteps } from "../../update/Installation.ts"
import { compareVersions, newestRelease } from "../../update/newestRelease.ts"

export const updateCommand = Command.make(
  "update",
  {
    releases: Flag.String("releases").pipe(
      Flag.withMetavar("url"),
      Flag.withDescription("The page of releases to ask, such as that of a mirror"),
      Flag.withDefault(`${manifest.homepage}/releases`),
    ),
  },
  Effect.fnUntraced(function* ({ releases }) {
    const { isWanted, print } = yield* JsonOutput
    const page = yield* addressFrom(releases, cliTexts.wrongReleases())
    const newest = yield* Effect.mapError(
      newestRelease(page),
      ({ problem }) => new CommandFailed({ message: cliTexts.releaseUnknown({ page, problem }) }),
    )
    const installed = yield* Installation
    const { version } = manifest
    const isNewest = compareVersions(version, newest) >= 0
    const steps = isNewest ? [] : upgradeSteps(installed, newest, page)
    const found = { version, newest, is_newest: isNewest, installed, steps }
    if (isWanted) return yield* print(JSON.stringify(found))
    const first = isNewest
      ? `inlet ${version} is the newest version`
      : `inlet ${newest} is the newest version, and this is ${version}. To upgrade:`
    yield* printLines([first, ...steps.map((step) => `  ${step}`)])
  }),
).pipe(
  Command.withDescription(
    "Say which version is the newest and how to install it. Nothing is installed, and no other command asks",
  ),
  Command.withExamples([
    { command: "inlet update", description: "Compare this version with the newest release" },
    {
      command: "inlet update --releases https://git.example.com/mirrors/inlet/releases",
      description: "Ask a mirror, where the project's own page cannot be reached",
    },
  ]),
)
