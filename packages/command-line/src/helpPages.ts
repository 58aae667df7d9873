import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { CliConfig, CliOutput, Command, type HelpDoc } from "effect/cli"
import { builtIns } from "./builtIns.ts"
import { commands } from "./commands.ts"

/** The help pages of all commands, each parent before its subcommands. `docs/cli.md` is generated from these pages. */
export const helpPages: Effect.Effect<ReadonlyArray<HelpDoc.HelpDoc>> = Effect.suspend(() => pagesBelow([]))

const pagesBelow = (path: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<HelpDoc.HelpDoc>> =>
  Effect.gen(function* () {
    const page = yield* helpOf(path)
    const children = (page.subcommands ?? []).flatMap(({ commands }) => commands)
    const below = yield* Effect.forEach(children, ({ name }) => pagesBelow([...path, name]))
    return [page, ...below.flat()]
  })

/** Returns the help page of a command. */
const helpOf = Effect.fnUntraced(function* (path: ReadonlyArray<string>) {
  const shown: Array<HelpDoc.HelpDoc> = []
  const collect = CliOutput.layerPresenter({
    present: (event) => Effect.sync(() => void ("helpDoc" in event && shown.push(event.helpDoc))),
  })
  yield* Command.runWith(commands, { version: "" })([...path, "--help"]).pipe(
    Effect.provide(Layer.mergeAll(NodeServices.layer, CliConfig.layer({ builtIns }), collect)),
    Effect.orDie,
  )
  const [page] = shown
  return page ?? (yield* Effect.die(new Error(`inlet ${path.join(" ")} has no help`)))
})
