import { Console, Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseTexts } from "../../texts/databaseTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { postgresUrl } from "../shared/postgresUrl.ts"
import { variable } from "../../server/variable.ts"

const config = {
  plan: Flag.Boolean("plan").pipe(
    Flag.withDescription("Show which tables would be distributed, and change nothing"),
    Flag.withDefault(false),
  ),
}

export const distributeCommand = Command.make(
  "distribute",
  config,
  Effect.fnUntraced(function* ({ plan: isPlan }) {
    const { isWanted, print } = yield* JsonOutput
    const url = yield* postgresUrl(databaseTexts.distributeNeedsPostgres())
    // The code of the store is loaded on demand, so that all other commands start faster and use less memory.
    const { distributeStore } = yield* Effect.promise(
      () => import("@inlethq/runtime/transfer/distributeStore"),
    )
    const result = yield* distributeStore({ url, password: variable("PGPASSWORD"), isPlan })
    if (Result.isFailure(result))
      return yield* new WrongOption({ message: databaseTexts.wrongStoreUrl({ problem: result.failure }) })
    const { liveHosts, tables } = result.success
    if (isWanted) {
      const missing = tables.map(({ isReference, name }) => ({ table: name, as: formOf(isReference) }))
      return yield* print(JSON.stringify({ tables: missing, live_hosts: liveHosts, done: !isPlan }))
    }
    if (tables.length === 0) return yield* Console.log("All tables are distributed; nothing is missing")
    for (const { isReference, name } of tables) yield* Console.log(`${name}  ${formOf(isReference)}`)
    if (isPlan && liveHosts.length > 0)
      yield* Console.log(`Nodes run and must stop first: ${liveHosts.join(", ")}`)
    yield* Console.log(
      isPlan ? `${tables.length} tables to distribute` : `Distributed ${tables.length} tables`,
    )
  }),
).pipe(
  Command.withDescription(
    "Distribute the tables of the PostgreSQL database in INLET_STORE with Citus, each workspace on one server; tables that are distributed already stay as they are",
  ),
  Command.withExamples([
    { command: "inlet distribute --plan", description: "Show which tables are not distributed yet" },
    { command: "inlet distribute", description: "Distribute them, while no node runs" },
  ]),
)

const formOf = (isReference: boolean): string => (isReference ? "on every server" : "by workspace")
