import { ImportParams } from "@inlethq/contract/transfer/Imports"
import type { StoreName } from "@inlethq/runtime/transfer/stores"
import { Clock, Console, Effect, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag } from "../../flags/flags.ts"
import { inlet } from "../../flags/inlet.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { orInterrupted } from "../../server/interruption.ts"
import { count, counted } from "../../output/text.ts"
import { clearProgress, paceOf, showProgress } from "../../output/progressBar.ts"
import { variable } from "../../server/variable.ts"

const config = {
  from: optionalFlag(
    Flag.String("from").pipe(Flag.withMetavar("store")),
    "Source: a data directory, or a postgres:// URL (INLET_COPY_FROM)",
  ),
  to: optionalFlag(
    Flag.String("to").pipe(Flag.withMetavar("store")),
    "Target: a data directory, or a postgres:// URL; it must be empty unless one workspace is copied (INLET_COPY_TO)",
  ),
}

const waiting =
  "waiting up to 50 s for the servers on the database to stop; a killed server counts as running for up to 45 s"

/** A URL with credentials is never a directory, even if its scheme is misspelled, because errors show directories. */
const databaseUrl = /^postgres(ql)?:|^[a-z][a-z0-9+.-]*:\/\/[^]*@/i

/** Returns the store that an option names, or its environment variable, which other users of the machine cannot see. */
const storeNamed = (
  given: Option.Option<string>,
  option: "FROM" | "TO",
): Effect.Effect<StoreName, WrongOption> => {
  const text = Option.getOrUndefined(given) ?? variable(`INLET_COPY_${option}`)
  if (text === undefined) {
    const names = { option: option.toLowerCase(), name: option }
    return Effect.fail(new WrongOption({ message: cliTexts.storeMissing(names) }))
  }
  if (!databaseUrl.test(text)) return Effect.succeed({ kind: "directory", directory: text })
  return Effect.succeed({
    kind: "postgres",
    url: text,
    password: variable("PGPASSWORD"),
    secret: variable(`INLET_${option}_SECRET`) ?? variable("INLET_SECRET"),
  })
}

const workspaceNamed = (given: Option.Option<string>) =>
  Option.match(given, {
    onNone: () => Effect.succeed(null),
    onSome: (text) =>
      Schema.decodeUnknownEffect(ImportParams)({ w: Number(text) }).pipe(
        Effect.map(({ w }) => w),
        Effect.mapError(() => new WrongOption({ message: cliTexts.wrongWorkspace() })),
      ),
  })

export const copyCommand = Command.make(
  "copy",
  config,
  Effect.fnUntraced(function* ({ from, to }) {
    const { workspace } = yield* inlet
    const { isWanted, print } = yield* JsonOutput
    const source = yield* storeNamed(from, "FROM")
    const target = yield* storeNamed(to, "TO")
    const only = yield* workspaceNamed(workspace)
    const started = yield* Clock.currentTimeMillis
    let earlier: number | undefined
    // The code of the stores is loaded on demand, so that all other commands start faster and use less memory.
    const { copy } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/copy"))
    const copied = yield* copy({
      from: source,
      to: target,
      workspace: only,
      onWait: Console.error(waiting),
      report: Effect.fnUntraced(function* ({ entries, subjects, total }) {
        const elapsedMs = (yield* Clock.currentTimeMillis) - started
        const done = entries + subjects
        earlier ??= done
        const pace = paceOf({
          items: done - earlier,
          done: done - earlier,
          total: total - earlier,
          elapsedMs,
        })
        yield* showProgress({ done, total, label: `${count(entries)} log entries ${pace}` })
      }),
    }).pipe(Effect.ensuring(clearProgress), orInterrupted(cliTexts.copyInterrupted()))
    const { entries, erased, isResumed, subjects, workspaces } = copied
    const seconds = ((yield* Clock.currentTimeMillis) - started) / 1000
    if (isWanted)
      return yield* print(JSON.stringify({ workspaces, subjects, entries, erased, resumed: isResumed }))
    const what = `${counted(workspaces, "workspace", "workspaces")}, ${count(subjects)} subjects, ${count(entries)} log entries`
    yield* Console.log(
      `${isResumed ? "Copy resumed and completed" : "Copied"} in ${seconds.toFixed(1)} s: ${what}`,
    )
    if (erased > 0) {
      yield* Console.log(
        `Erased again what ${erased} newer ${erased === 1 ? "record" : "records"} of the target's ledger named`,
      )
    }
  }),
).pipe(
  Command.withDescription(
    "Copy everything to an empty store, with all ids, the log, deduplication keys and suppressions; running an interrupted copy again resumes it",
  ),
  Command.withExamples([
    {
      command: "inlet copy --from .inlet --to postgres://inlet@db.example.com/inlet",
      description:
        "Move to PostgreSQL; INLET_SECRET is the secret of its servers, and PGPASSWORD the password",
    },
    {
      command: "INLET_COPY_TO=$INLET_STORE inlet copy --from .inlet",
      description: "Keep a URL with a password out of the list of processes",
    },
    {
      command: "inlet copy --from postgres://inlet@db.example.com/inlet --to ./copied --workspace 2",
      description:
        "Copy one workspace to a data directory, which may have other workspaces of the same installation",
    },
  ]),
)
