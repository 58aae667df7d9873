import { Console, Effect, Result } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseTexts } from "../../texts/databaseTexts.ts"
import { WrongOption } from "../../texts/commandErrors.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { postgresUrl } from "../shared/postgresUrl.ts"
import { variable } from "../../server/variable.ts"

const config = {
  plan: Flag.Boolean("plan").pipe(
    Flag.withDescription("Show what would be done, and change nothing"),
    Flag.withDefault(false),
  ),
  force: Flag.Boolean("force").pipe(
    Flag.withDescription(
      "Migrate although nodes of another version run and need what a migration removes; they answer 503 until they are upgraded",
    ),
    Flag.withDefault(false),
  ),
}

export const migrateCommand = Command.make(
  "migrate",
  config,
  Effect.fnUntraced(function* ({ force, plan: isPlan }) {
    const { isWanted, print } = yield* JsonOutput
    const url = yield* postgresUrl(databaseTexts.migrateNeedsPostgres())
    // The code of the store is loaded on demand, so that all other commands start faster and use less memory.
    const { migrateStore } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/migrateStore"))
    const options = { url, password: variable("PGPASSWORD"), isPlan, isForced: force }
    const result = yield* migrateStore(options)
    if (Result.isFailure(result))
      return yield* new WrongOption({ message: databaseTexts.wrongStoreUrl({ problem: result.failure }) })
    const { found, known, liveHosts, migrations } = result.success
    if (isWanted) {
      const missing = migrations.map(({ id, indexes, name, removes }) => ({
        format: id,
        name,
        removes,
        indexes,
      }))
      return yield* print(
        JSON.stringify({ from: found, to: known, migrations: missing, live_hosts: liveHosts, done: !isPlan }),
      )
    }
    if (migrations.length === 0)
      return yield* Console.log(`The database has format ${found}; nothing is missing`)
    for (const { id, indexes, name, removes } of migrations) {
      const building = indexes.length === 0 ? "" : `  (builds ${indexes.join(", ")} while nodes work)`
      yield* Console.log(`${id}  ${name}${removes ? "  (removes what earlier versions use)" : ""}${building}`)
    }
    if (isPlan && liveHosts.length > 0)
      yield* Console.log(`Nodes of another version run: ${liveHosts.join(", ")}`)
    yield* Console.log(
      isPlan ? `From format ${found} to ${known}` : `Migrated from format ${found} to ${known}`,
    )
  }),
).pipe(
  Command.withDescription(
    "Migrate the PostgreSQL database in INLET_STORE to the format of this version; servers do it at their start unless INLET_MIGRATE=off",
  ),
  Command.withExamples([
    { command: "inlet migrate --plan", description: "Show which migrations are missing" },
    {
      command: "inlet migrate",
      description: "Run them, for example in a job before new nodes start with INLET_MIGRATE=off",
    },
  ]),
)
