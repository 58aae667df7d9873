import { helpPages } from "@inlethq/command-line/helpPages"
import { Effect, Option } from "effect"

type HelpPage = Effect.Success<typeof helpPages>[number]

const introduction = `# The command line

\`inlet\` runs the server, sends calls, shows what happened to them, and manages what is stored.

\`\`\`sh
inlet serve   # in one terminal
inlet tail    # in a second one

# in a third one
inlet send identify ada email=ada@example.com plan=pro
inlet people get ada
\`\`\`

In a clone of this repository, write \`./inlet\` in place of \`inlet\`.

## Choosing the server

| option | variable | default |
|---|---|---|
| \`--url\` | \`INLET_URL\` | the server on this machine: port \`INLET_OPERATOR_PORT\`, else \`INLET_PORT\`, else 8080 |
| \`--ingestion-url\` | \`INLET_INGESTION_URL\` | the address of the server; for the server on this machine, port \`INLET_PORT\` |
| \`--token\` | \`INLET_MANAGEMENT_TOKEN\` | for a server on this machine, the file \`management-token\` in \`INLET_DATA_DIR\`, else in \`.inlet\` |
| \`--workspace\` | \`INLET_WORKSPACE\` | 1 |

If \`inlet serve\` was started with its default settings, commands in the same folder need none of these options. The token of a local data directory is never sent
to another machine.

If operators have a separate address ([Two addresses](operations/running.md#two-addresses)), \`--url\` is the address of operators. \`--ingestion-url\` is the address to
which \`inlet send\` sends its calls; the other commands do not need it. \`INLET_INGESTION_URL\` belongs to the server of \`INLET_URL\`, so
with \`--url\` it is not read.

## Profiles

\`\`\`sh
inlet profiles add prod --url https://inlet.example.com --workspace 2 --token -   # asks for the token
inlet people get ada --profile prod
inlet profiles use prod   # for all commands from now on; \`inlet profiles use\` ends it
\`\`\`

A profile is a name for a server and a workspace. Profiles are stored with their tokens in \`~/.config/inlet/profiles.json\` (or below \`XDG_CONFIG_HOME\`), which only you
can read. \`--token -\` asks for the token on a terminal and otherwise reads it from standard input, so that no history of a shell has it; without \`--token\`, a profile gets the token in
\`INLET_MANAGEMENT_TOKEN\`. Each value comes from the first of these sources that has it:

1. the options of the command,
2. the profile that \`--profile\` names. It replaces the environment, so the variables of the next line are then not read,
3. the variables \`INLET_URL\`, \`INLET_INGESTION_URL\`, \`INLET_MANAGEMENT_TOKEN\`, \`INLET_WORKSPACE\`, and the keys for \`inlet send\`,
4. the profile that \`INLET_PROFILE\` names, or else the one in use,
5. the server on this machine.

The token, the workspace and the ingestion address of a profile are used only with its own address: with another \`--url\` or \`INLET_URL\`, the profile does not count.

## Keys

Only \`inlet send\` needs a key: \`inlet send batch\` one for the Track API, its other commands one for the Pipelines API. Every other command uses the management token.

- The key for Pipelines comes from \`INLET_WRITE_KEY\`, and the key for Track from \`INLET_SITE_ID\` and \`INLET_API_KEY\`. With a key from there, \`inlet send\` needs no management token.
- Otherwise the command makes a key named \`cli\` through the management API and stores it in \`~/.config/inlet/keys.json\` (or below \`XDG_CONFIG_HOME\`), which only you can
  read. If the server no longer knows the stored key, the command makes a new one.

A key belongs to one workspace, so \`inlet send\` first asks the server for the workspace of the key and says on standard error where it sends. If \`--workspace\` or
\`INLET_WORKSPACE\` selects another workspace than the key in a variable, the command exits with code 2 and sends nothing:

\`\`\`
$ inlet send identify ada --workspace 4
inlet: the key in INLET_WRITE_KEY belongs to workspace 1, but --workspace selects workspace 4, so nothing was sent: set a key of workspace 4, or remove INLET_WRITE_KEY so that the command makes its own key
\`\`\`

## Output

On a terminal, lists are tables and outcomes have colours. \`NO_COLOR=1\` turns the colours off, \`FORCE_COLOR=1\` turns them on in a pipe, and \`COLUMNS\` sets the width
of the terminal. In a pipe, each row of a list is one line with values separated by tabs. \`--json\` prints what the API answers. \`inlet tail --json\` prints one entry a line, and \`inlet send batch --json\` one answer for each batch.

A list ends after 50 items, and a note on standard error says if there are more. \`--all\` prints all of them, page by page; with \`--json\`, each page is one line.

\`--jq\` prints what a [jq](https://jqlang.org) expression makes of the JSON instead, one result a line, strings without quotes. jq is built in:

\`\`\`
$ inlet people list --jq '.items[] | "\\(.id) is on \\(.attributes.plan)"'
bob is on free
ada is on pro
\`\`\`

It applies to each entry of \`inlet tail\`, to each line of \`inlet export\` without \`--output\`, and with \`--all\` to each page. A wrong expression ends the command with code 2 before anything is sent.

Times are in the local time zone, which headings and notes name, or in UTC with \`--utc\`. In a pipe, they are in ISO 8601 with their offset, such as \`2026-01-31T12:00:00+01:00\`.

Results go to standard output. Errors, progress and notes go to standard error. Control characters in stored texts are replaced, so that a text cannot
change your terminal.

| exit code | meaning |
|---|---|
| 0 | the command succeeded, or Ctrl-C ended \`inlet serve\`, \`inlet emulate\` or \`inlet tail\` |
| 1 | the operation failed. The last line says why and what to do |
| 2 | an argument, an option or a variable is wrong |
| 130 | Ctrl-C ended any other command, also at a question |

[errors.md](errors.md#command-line) lists the error messages of the command line.

## Shell completions

\`\`\`sh
inlet --completions bash > ~/.inlet-completions.bash
grep -qsF .inlet-completions.bash ~/.bashrc || echo '. ~/.inlet-completions.bash' >> ~/.bashrc

inlet --completions zsh > "\${fpath[1]}/_inlet"
inlet --completions fish > ~/.config/fish/completions/inlet.fish
\`\`\`

## Commands

The rest of this page is made from the help of the commands by \`pnpm generate\`. Every command also has \`--url\`, \`--ingestion-url\`, \`--token\`, \`--workspace\`, \`--profile\`, \`--utc\`, \`--json\` and \`--jq\`.
`

/** Returns the page with the reference documentation of the command line. */
export const commandPage = (): string => {
  const pages = Effect.runSync(helpPages)
  return introduction + pages.slice(1).map(sectionOf).join("")
}

const sectionOf = (page: HelpPage): string => {
  const path = page.commandPath ?? []
  const level = "#".repeat(path.length + 1)
  const children = (page.subcommands ?? []).flatMap(({ commands }) => commands)
  return [
    `\n${level} ${path.join(" ")}\n`,
    `${page.description}.\n`,
    ...(children.length > 0 ? [] : [`\`\`\`\n${page.usage}\n\`\`\`\n`]),
    ...table("argument", (page.args ?? []).map(argumentRow)),
    ...table("option", page.flags.map(flagRow)),
    ...examplesOf(page),
  ].join("\n")
}

type Row = readonly [name: string, description: string]

const argumentRow = ({ description, name, required }: NonNullable<HelpPage["args"]>[number]): Row => [
  `\`${name}\``,
  `${textOf(description) ?? ""}${required ? "" : " (optional)"}`,
]

const flagRow = ({ aliases, description, name, type }: HelpPage["flags"][number]): Row => [
  [`\`--${name}${type === "boolean" ? "" : ` ${type}`}\``, ...aliases.map((alias) => `\`${alias}\``)].join(
    ", ",
  ),
  textOf(description) ?? "",
]

const textOf = (description: string | Option.Option<string>): string | undefined =>
  typeof description === "string" ? description : Option.getOrUndefined(description)

const table = (heading: string, rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  if (rows.length === 0) return []
  const lines = rows.map(([name, description]) => `| ${cell(name)} | ${cell(description)} |\n`)
  return [`| ${heading} | |\n|---|---|\n${lines.join("")}`]
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const examplesOf = ({ examples = [] }: HelpPage): ReadonlyArray<string> => {
  if (examples.length === 0) return []
  const lines = examples.map(({ command, description = "" }) => `# ${description}\n${command}\n`)
  return [`\`\`\`sh\n${lines.join("\n")}\`\`\`\n`]
}
