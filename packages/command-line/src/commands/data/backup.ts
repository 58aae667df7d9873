import { constants, setPriority } from "node:os"
import { Clock, Console, Effect, Fiber, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed } from "../../texts/commandErrors.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { sizeText } from "../../output/text.ts"
import { clearProgress, showProgress } from "../../output/progressBar.ts"
import { dataDirectory } from "../../server/Connection.ts"
import { variable } from "../../server/variable.ts"

/** The time between two updates of the progress bar. */
const progressEvery = "200 millis"

const dataDir = Flag.String("data-dir").pipe(
  Flag.withMetavar("directory"),
  Flag.withDescription("Data directory of the server (INLET_DATA_DIR; default: .inlet)"),
  Flag.optional,
)

/** Shows the progress that a task reports, until the task ends. */
const withProgress = <A, E, R>(
  label: string,
  task: (report: (share: number) => void) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    let share = 0
    const drawn = Effect.suspend(() => showProgress({ done: share, total: 1, label }))
    const drawing = yield* Effect.forkChild(
      Effect.forever(Effect.andThen(drawn, Effect.sleep(progressEvery))),
    )
    return yield* task((reached) => {
      share = reached
    }).pipe(Effect.ensuring(Effect.andThen(Fiber.interrupt(drawing), clearProgress)))
  })

export const backupCommand = Command.make(
  "backup",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("File to write; an existing file is replaced"),
    ),
    dataDir,
  },
  Effect.fnUntraced(function* ({ dataDir, file }) {
    const { isWanted, print } = yield* JsonOutput
    // The code of the stores is loaded on demand, so that all other commands start faster and use less memory.
    const { backup } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/backup"))
    const { backupTexts } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/backupTexts"))
    if (/^postgres(ql)?:/.test(variable("INLET_STORE") ?? "")) {
      return yield* new CommandFailed({ message: backupTexts.postgres() })
    }
    // Lowers the priority of this process, because a server on this machine needs the processor more than the backup
    // does.
    yield* Effect.sync(() => setPriority(constants.priority.PRIORITY_LOW))
    const started = yield* Clock.currentTimeMillis
    const directory = Option.getOrElse(dataDir, dataDirectory)
    const { bytes, createdAt } = yield* withProgress("backup", (report) =>
      backup({ directory, file, report }),
    )
    const seconds = (((yield* Clock.currentTimeMillis) - started) / 1000).toFixed(1)
    if (isWanted) return yield* print(JSON.stringify({ file, bytes, created_at: createdAt }))
    yield* Console.log(`Backed up ${directory} to ${file} in ${seconds} s (${sizeText(bytes)})`)
    yield* printNote(
      "The file contains all data, the digest key and the management token. Only you can read the file.",
    )
  }),
).pipe(
  Command.withDescription(
    "Back up the data directory of a server on this machine into one file, also while the server runs",
  ),
  Command.withExamples([
    { command: "inlet backup inlet-2026-01-31.backup", description: "Back up .inlet" },
    {
      command: "inlet backup inlet.backup --data-dir /var/lib/inlet",
      description: "Back up another data directory",
    },
  ]),
)

export const restoreCommand = Command.make(
  "restore",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Backup to restore")),
    dataDir,
    ledger: Flag.String("ledger").pipe(
      Flag.withMetavar("path"),
      Flag.withDescription(
        "Erase again who was erased since the backup: the data directory of the server, or a file of `inlet erasure ledger`",
      ),
      Flag.optional,
    ),
  },
  Effect.fnUntraced(function* ({ dataDir, file, ledger }) {
    const { isWanted, print } = yield* JsonOutput
    const { restore } = yield* Effect.promise(() => import("@inlethq/runtime/transfer/restore"))
    const started = yield* Clock.currentTimeMillis
    const directory = Option.getOrElse(dataDir, dataDirectory)
    const { bytes, createdAt, erased } = yield* withProgress("restore", (report) =>
      restore({ directory, file, ledger: Option.getOrNull(ledger), report }),
    )
    const seconds = (((yield* Clock.currentTimeMillis) - started) / 1000).toFixed(1)
    if (isWanted) {
      return yield* print(JSON.stringify({ data_dir: directory, bytes, created_at: createdAt, erased }))
    }
    yield* Console.log(
      `Restored the backup of ${createdAt} into ${directory} in ${seconds} s (${sizeText(bytes)})`,
    )
    if (Option.isSome(ledger)) {
      yield* Console.log(
        `Erased again what ${erased} newer ${erased === 1 ? "record" : "records"} of the ledger named`,
      )
    } else {
      yield* printNote(
        `Whoever was deleted or suppressed after ${createdAt} is back. Restore with --ledger to erase them again.`,
      )
    }
  }),
).pipe(
  Command.withDescription(
    "Restore a backup into an empty data directory, after checking the backup's SHA-256",
  ),
  Command.withExamples([
    {
      command: "inlet restore inlet-2026-01-31.backup --data-dir ./restored",
      description: "Restore into the new directory ./restored",
    },
    {
      command: "inlet restore inlet-2026-01-31.backup --data-dir ./restored --ledger .inlet",
      description: "Erase again who was erased since the backup, by the ledger in .inlet",
    },
  ]),
)
