import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { personArgument } from "../../flags/flags.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { count, printable } from "../../output/text.ts"
import { writePersonExport } from "../../personExport/writePersonExport.ts"
import { Connection } from "../../server/Connection.ts"
import { findPerson } from "../../server/findPerson.ts"
import { onServer } from "../../server/onServer.ts"

export const exportPersonCommand = Command.make(
  "export",
  {
    person: personArgument,
    out: Flag.String("out").pipe(
      Flag.withMetavar("directory"),
      Flag.withDescription("Directory to write, which must be empty or missing"),
    ),
  },
  Effect.fnUntraced(function* ({ out, person }) {
    const { workspace } = yield* Connection
    const json = yield* JsonOutput
    const { svc_id } = yield* findPerson(person)
    const written = yield* writePersonExport(out, { workspace, svcId: svc_id })
    if (json.isWanted) return yield* json.print(JSON.stringify(written))
    yield* Console.log(
      printable(
        `Wrote person.html, manifest.json and ${count(written.lines)} lines in ${written.files.length - 1} files to ${out}`,
      ),
    )
  }, onServer),
).pipe(
  Command.withDescription(
    "Write everything that is stored about a person into a directory: JSON lines, a page to read, and a manifest with hashes",
  ),
  Command.withExamples([
    { command: "inlet people export ada --out ada-export", description: "Answer a request for their data" },
  ]),
)
