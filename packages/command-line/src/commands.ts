import { Command } from "effect/cli"
import { apiCommand } from "./commands/server/api.ts"
import { backupCommand, restoreCommand } from "./commands/data/backup.ts"
import { capsuleCommand } from "./commands/log/capsule.ts"
import { consoleCommand } from "./commands/server/console.ts"
import { copyCommand } from "./commands/data/copy.ts"
import { deliveriesCommand } from "./commands/deliveries/deliveries.ts"
import { diffCommand } from "./commands/data/diff.ts"
import { doctorCommand } from "./commands/server/doctor.ts"
import { duplicatesCommand } from "./commands/people/duplicates.ts"
import { emulateCommand } from "./commands/server/emulate.ts"
import { erasureCommand } from "./commands/erasure/erasure.ts"
import { exportCommand } from "./commands/data/export.ts"
import { formsCommand } from "./commands/forms/forms.ts"
import { importCommand } from "./commands/data/import.ts"
import { importsCommand } from "./commands/data/imports.ts"
import { keysCommand } from "./commands/workspaces/keys.ts"
import { lakeCommand } from "./commands/lake/lake.ts"
import { mcpCommand } from "./commands/server/mcp.ts"
import { objectsCommand } from "./commands/objects/objects.ts"
import { peopleCommand } from "./commands/people/people.ts"
import { profilesCommand } from "./commands/server/profiles.ts"
import { replayCommand } from "./commands/data/replay.ts"
import { segmentsCommand } from "./commands/segments/segments.ts"
import { searchCommand } from "./commands/log/search.ts"
import { sendCommand } from "./commands/send/send.ts"
import { serveCommand } from "./commands/server/serve.ts"
import { tailCommand } from "./commands/log/tail.ts"
import { distributeCommand } from "./commands/data/distribute.ts"
import { migrateCommand } from "./commands/data/migrate.ts"
import { auditCommand } from "./commands/log/audit.ts"
import { sessionsCommand } from "./commands/workspaces/sessions.ts"
import { typesCommand } from "./commands/types/types.ts"
import { tokensCommand } from "./commands/workspaces/tokens.ts"
import { updateCommand } from "./commands/server/update.ts"
import { viewsCommand } from "./commands/workspaces/views.ts"
import { forwardsCommand } from "./commands/forwards/forwards.ts"
import { webhooksCommand } from "./commands/webhooks/webhooks.ts"
import { whatIfCommand } from "./commands/log/whatIf.ts"
import { whyCommand } from "./commands/log/why.ts"
import { planCommand } from "./commands/plans/plan.ts"
import { workspacesCommand } from "./commands/workspaces/workspaces.ts"
import { inlet } from "./flags/inlet.ts"
import { JsonOutput } from "./output/JsonOutput.ts"

/** The `inlet` command with all its subcommands. */
export const commands = inlet.pipe(
  Command.withSubcommands([
    {
      group: "Server",
      commands: [
        serveCommand,
        emulateCommand,
        doctorCommand,
        migrateCommand,
        distributeCommand,
        consoleCommand,
        apiCommand,
        updateCommand,
        mcpCommand,
      ],
    },
    {
      group: "Activity",
      commands: [
        sendCommand,
        tailCommand,
        whyCommand,
        searchCommand,
        typesCommand,
        planCommand,
        whatIfCommand,
        capsuleCommand,
      ],
    },
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
        sessionsCommand,
        auditCommand,
        webhooksCommand,
        viewsCommand,
        forwardsCommand,
        profilesCommand,
      ],
    },
  ]),
  Command.provideEffect(JsonOutput, (flags) => JsonOutput.make(flags)),
)
