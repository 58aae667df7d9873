import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../src/cleanup.ts"
import { CommandLine } from "../../src/commandLine.ts"
import { credentials } from "../../src/Inlet.ts"
import { sharedServer } from "../../src/Tenant.ts"

const folder = freshDirectory()
mkdirSync(join(folder, "folder"))
writeFileSync(join(folder, "text"), "hello\n")
writeFileSync(join(folder, "seed"), '{"type":"identify","userId":"ada"}\n{"type":"dance"}\n')

const inlet = new CommandLine({ INLET_URL: sharedServer.url, INLET_MANAGEMENT_TOKEN: credentials.token })
const https = sharedServer.url.replace("http:", "https:")

describe("mistakes on the command line", () => {
  it.each<readonly [command: string, code: number, firstLine: string]>([
    ["import people FOLDER/missing", 2, "inlet: cannot read FOLDER/missing: it does not exist"],
    ["import people FOLDER/folder", 2, "inlet: cannot read FOLDER/folder: it is a directory"],
    ["emulate --seed FOLDER/missing", 2, "inlet: cannot read FOLDER/missing: it does not exist"],
    [
      "emulate --seed FOLDER/text",
      2,
      "inlet: line 1 of FOLDER/text is not a call of the Pipelines API: Expected a valid JSON",
    ],
    [
      "emulate --seed FOLDER/seed",
      2,
      'inlet: line 2 of FOLDER/seed is not a call of the Pipelines API: Expected "identify" | "track"',
    ],
    [
      "export events --since yesterday",
      2,
      'inlet: Invalid value for flag --since: "yesterday". Expected a time, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    ],
    [
      "tail --until 31.1.2026",
      2,
      'inlet: Invalid value for flag --until: "31.1.2026". Expected a time, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    ],
    ["send batch FOLDER/missing", 2, "inlet: cannot read FOLDER/missing: it does not exist"],
    ["send batch FOLDER/folder", 2, "inlet: cannot read FOLDER/folder: it is a directory"],
    [
      "workspaces update 1",
      2,
      "inlet: no option says what to change: `inlet workspaces update --help` lists the options",
    ],
    [
      "webhooks update 5d0c2b7f9a4e1836ce0b",
      2,
      "inlet: no option says what to change: `inlet webhooks update --help` lists the options",
    ],
    [
      "export events --since 2026-02-01 --until 2026-01-01",
      2,
      "inlet: --since 2026-02-01 is after --until 2026-01-01",
    ],
    [
      "people get \u001b[31m\u202egone",
      1,
      "inlet: no person in workspace 1 has the identifier �[31m�gone: correct it or --workspace",
    ],
    [
      "send track ada bought --at yesterday",
      2,
      'inlet: Invalid value for flag --at: "yesterday". Expected a time, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    ],
    [
      "webhooks recover 5d0c2b7f9a4e1836ce0b --since noon",
      2,
      'inlet: Invalid value for flag --since: "noon". Expected a time, such as 2026-01-31 or 2026-01-31T12:00:00Z',
    ],
    ["restore FOLDER/missing", 1, "inlet: cannot read FOLDER/missing: ENOENT"],
    ["restore FOLDER/folder", 1, "inlet: cannot read FOLDER/folder: EISDIR"],
    ["restore FOLDER/text", 1, "inlet: FOLDER/text is not a complete backup of Inlet"],
    [
      "copy --from mysql://host/db --to FOLDER/new",
      1,
      "inlet: mysql://host/db has no database inlet.db: name the data directory of a server, or a postgres:// URL",
    ],
    [
      "copy --from postgress://ada:hush@host/db --to FOLDER/new",
      1,
      "inlet: --from is not a valid PostgreSQL URL: expected postgres://user:password@host:port/database",
    ],
    [
      "export people --output FOLDER/missing/x",
      1,
      "inlet: cannot write FOLDER/missing/x: ENOENT: no such file or directory, open 'FOLDER/missing/x.part'",
    ],
    [
      "people list --limit 5000",
      2,
      'inlet: Invalid value for flag --limit: "5000". Expected a value between 1 and 1000',
    ],
    [
      "tail --lines -1",
      2,
      'inlet: Invalid value for flag --lines: "-1". Expected a value between 0 and 1000',
    ],
    [
      "tail -rule:x",
      2,
      "inlet: Unrecognized flag: -r in command inlet tail; did you mean: -n; put -- before arguments that begin with a dash",
    ],
    [
      "why op11000000099",
      1,
      "inlet: no operation in workspace 1 has the id op11000000099: correct the id or --workspace",
    ],
    [
      "why ox5d0c2b7f9a4e1836",
      1,
      "inlet: no operation in workspace 1 has the id ox5d0c2b7f9a4e1836: correct the id or --workspace",
    ],
    ["peple list", 2, 'inlet: Unknown subcommand "peple" for "inlet"; did you mean: people'],
    ["people get", 2, "inlet: Missing required argument: person"],
    ["people get ada bob", 2, 'inlet: Unexpected positional argument: "bob"'],
    ["webhooks create", 2, "inlet: Missing required flag: --to"],
    ["people list --limit", 2, "inlet: Missing value for flag --limit. Expected: integer"],
    [
      "segments get x",
      2,
      'inlet: Invalid value for argument <segment>: "x". Expected a string representing a finite number',
    ],
    [
      "people list --after x",
      2,
      'inlet: Invalid value for flag --after: "x". must be the `next` value of an earlier page',
    ],
    [
      "workspaces update 1 --limit rate_requests",
      2,
      'inlet: Invalid value for flag --limit: "rate_requests". Expected format: key=value, got: rate_requests',
    ],
    [
      "workspaces update 1 --limit rate=1",
      2,
      "inlet: unknown limit rate: expected one of request_bytes, batch_bytes, ",
    ],
    [
      `people list --url ${https}`,
      1,
      `inlet: the TLS connection to ${https} failed (ERR_SSL_WRONG_VERSION_NUMBER): correct http or https in --url, or add the certificate of the server to NODE_EXTRA_CA_CERTS`,
    ],
    [
      "people list --url localhost:8080",
      2,
      "inlet: --url or INLET_URL must be an http or https address, such as http://127.0.0.1:8080",
    ],
  ])("inlet %s exits with code %d and says in its first line what is wrong", async (command, code, line) => {
    const ran = await inlet.run(command.replaceAll("FOLDER", folder).split(" "))
    expect(ran.stderr.split("\n")[0]).toContain(line.replaceAll("FOLDER", folder))
    expect(ran).toMatchObject({ code, stdout: "" })
  })
})
