import { Command } from "effect/cli"
import { apiCommand } from "./commands/api.ts"
import { backupCommand, restoreCommand } from "./commands/backup.ts"
import { consoleCommand } from "./commands/console.ts"
import { copyCommand } from "./commands/copy.ts"
import { deliveriesCommand } from "./commands/deliveries.ts"
import { diffCommand } from "./commands/diff.ts"
import { doctorCommand } from "./commands/doctor.ts"
import { duplicatesCommand } from "./commands/duplicates.ts"
import { emulateCommand } from "./commands/emulate.ts"
import { erasureCommand } from "./commands/erasure.ts"
import { exportCommand } from "./commands/export.ts"
import { formsCommand } from "./commands/forms.ts"
import { importCommand } from "./commands/import.ts"
import { importsCommand } from "./commands/imports.ts"
import { keysCommand } from "./commands/keys.ts"
import { lakeCommand } from "./commands/lake.ts"
import { objectsCommand } from "./commands/objects.ts"
import { peopleCommand } from "./commands/people.ts"
import { profilesCommand } from "./commands/profiles.ts"
import { replayCommand } from "./commands/replay.ts"
import { segmentsCommand } from "./commands/segments.ts"
import { searchCommand } from "./commands/search.ts"
import { sendCommand } from "./commands/send.ts"
import { serveCommand } from "./commands/serve.ts"
import { tailCommand } from "./commands/tail.ts"
import { migrateCommand } from "./commands/migrate.ts"
import { auditCommand } from "./commands/audit.ts"
import { tokensCommand } from "./commands/tokens.ts"
import { webhooksCommand } from "./commands/webhooks.ts"
import { whyCommand } from "./commands/why.ts"
import { workspacesCommand } from "./commands/workspaces.ts"
import { inlet } from "./inlet.ts"
import { JsonOutput } from "./output/JsonOutput.ts"

/** The `inlet` command with all its subcommands. */
export const commands = inlet.pipe(
  Command.withSubcommands([
    {
      group: "Server",
      commands: [serveCommand, emulateCommand, doctorCommand, migrateCommand, consoleCommand, apiCommand],
    },
    { group: "Activity", commands: [sendCommand, tailCommand, whyCommand, searchCommand] },
    {
      group: "Moving data",
      commands: [
        importCommand,
        importsCommand,
        exportCommand,
        copyCommand,
        diffCommand,
        replayCommand,
        lakeCommand,
        backupCommand,
        restoreCommand,
      ],
    },
    {
      group: "Data",
      commands: [
        peopleCommand,
        duplicatesCommand,
        objectsCommand,
        segmentsCommand,
        formsCommand,
        deliveriesCommand,
        erasureCommand,
      ],
    },
    {
      group: "Settings",
      commands: [
        workspacesCommand,
        keysCommand,
        tokensCommand,
        auditCommand,
        webhooksCommand,
        profilesCommand,
      ],
    },
  ]),
  Command.provideEffect(JsonOutput, (flags) => JsonOutput.make(flags)),
)
