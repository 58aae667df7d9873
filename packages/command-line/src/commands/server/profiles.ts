import { Console, Effect, Option, Redacted, Stdio, Stream } from "effect"
import { Argument, Command, Prompt, TerminalCapabilities } from "effect/cli"
import { CommandFailed, WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { inlet } from "../../flags/inlet.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { printNote } from "../../output/note.ts"
import { currentScreen } from "../../output/Screen.ts"
import { drawTable, type Column } from "../../output/table.ts"
import { addressFrom, profileIn, profilesOrFail, workspaceFrom } from "../../server/Connection.ts"
import { fileProblem } from "../../server/fileProblem.ts"
import { standardInput } from "../../server/inputFile.ts"
import { writeProfiles, type Profile, type Profiles } from "../../server/Profiles.ts"
import { printLines } from "../../server/show.ts"
import { variable } from "../../server/variable.ts"

const nameArgument = Argument.String("name").pipe(Argument.withDescription("The name of the profile"))

const tokenVariable = "INLET_MANAGEMENT_TOKEN"

const namePattern = /^[\w.-]{1,64}$/

const store = (profiles: Profiles) =>
  Effect.mapError(writeProfiles(profiles), (error) => {
    const problem = error._tag === "PlatformError" ? fileProblem(error) : error.message
    return new CommandFailed({ message: cliTexts.profilesNotStored({ problem }) })
  })

/** Reads the shared flags that a profile stores. */
const profileFromFlags = Effect.gen(function* () {
  const { ingestionUrl, token, url, workspace } = yield* inlet
  if (Option.isNone(url)) return yield* new WrongOption({ message: cliTexts.profileUrlMissing() })
  const stored = yield* tokenFor(token)
  const profile: Profile = {
    url: yield* addressFrom(url.value, cliTexts.wrongUrl()),
    ...(Option.isSome(ingestionUrl)
      ? { ingestion_url: yield* addressFrom(ingestionUrl.value, cliTexts.wrongIngestionUrl()) }
      : {}),
    ...(stored === undefined ? {} : { token: stored.token }),
    ...(Option.isSome(workspace) ? { workspace: yield* workspaceFrom(workspace.value) } : {}),
  }
  return { profile, tokenFrom: stored?.from }
})

const tokenQuestion = "Management token"

/** The longest token that standard input may contain, in characters. */
const tokenLengthMax = 1000

/**
 * Returns the token of a new profile and where it comes from. Arguments stay in the history of the shell, so the token
 * can also come from standard input, or from the environment if the flag is missing.
 */
const tokenFor = Effect.fnUntraced(function* (flag: Option.Option<Redacted.Redacted>) {
  const given = Option.getOrUndefined(Option.map(flag, Redacted.value))
  if (given === standardInput) return { token: yield* tokenFromInput, from: "standard input" }
  if (given !== undefined) return { token: given, from: "--token" }
  const token = variable(tokenVariable)
  return token === undefined ? undefined : { token, from: tokenVariable }
})

/** Asks for the token on a terminal, and otherwise reads the first line of standard input. */
const tokenFromInput = Effect.gen(function* () {
  const { canPrompt } = yield* TerminalCapabilities.TerminalCapabilities
  const { stdin } = yield* Stdio.Stdio
  const text = canPrompt
    ? Redacted.value(yield* Prompt.run(Prompt.Password({ message: tokenQuestion })))
    : Option.getOrElse(yield* stdin.pipe(Stream.decodeText, Stream.splitLines, Stream.runHead), () => "")
  const token = text.trim()
  if (token === "" || token.length > tokenLengthMax || /\s/.test(token)) {
    return yield* new WrongOption({ message: cliTexts.wrongProfileToken() })
  }
  return token
}).pipe(Effect.catchTag("QuitError", () => Effect.interrupt))

const add = Command.make(
  "add",
  { name: nameArgument },
  Effect.fnUntraced(function* ({ name }) {
    if (!namePattern.test(name)) return yield* new WrongOption({ message: cliTexts.wrongProfileName() })
    const { profile, tokenFrom } = yield* profileFromFlags
    const { current, profiles } = yield* profilesOrFail
    yield* store({ current, profiles: { ...profiles, [name]: profile } })
    const token = tokenFrom === undefined ? "without a token" : `with the token of ${tokenFrom}`
    const use = `add --profile ${name}, or run inlet profiles use ${name}`
    yield* printNote(`Stored profile ${name} ${token}: ${use}`)
  }),
).pipe(
  Command.withDescription(
    "Store the address, token and workspace of a server under a name, or replace them; --token - reads the token from standard input",
  ),
  Command.withExamples([
    {
      command: "inlet profiles add prod --url https://inlet.example.com --token - --workspace 2",
      description: "Ask for the token, or read it from standard input, so that no shell keeps it",
    },
    {
      command: "inlet profiles add prod --url https://10.0.0.5:8081 --ingestion-url https://in.example.com",
      description: "A separate address for operators, and the token in INLET_MANAGEMENT_TOKEN",
    },
  ]),
)

interface Listed {
  readonly name: string
  readonly url: string
  readonly ingestion_url: string | null
  readonly workspace: number | null
  readonly has_token: boolean
  readonly is_current: boolean
}

const columns: ReadonlyArray<Column<Listed>> = [
  { heading: "NAME", text: ({ name }) => name, style: () => "bold" },
  { heading: "URL", text: ({ url }) => url, shrinks: true },
  { heading: "INGESTION_URL", text: ({ ingestion_url }) => ingestion_url ?? "", shrinks: true },
  { heading: "WORKSPACE", text: ({ workspace }) => String(workspace ?? "") },
  { heading: "TOKEN", text: ({ has_token }) => (has_token ? "stored" : "") },
  { heading: "IN_USE", text: ({ is_current }) => (is_current ? "yes" : "") },
]

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const { isWanted, print } = yield* JsonOutput
    const { current, profiles } = yield* profilesOrFail
    const items = Object.entries(profiles).map(([name, profile]): Listed => ({
      name,
      url: profile.url,
      ingestion_url: profile.ingestion_url ?? null,
      workspace: profile.workspace ?? null,
      has_token: profile.token !== undefined,
      is_current: name === current,
    }))
    if (isWanted) return yield* print(JSON.stringify({ items, next: null }))
    const screen = yield* currentScreen
    yield* printLines(drawTable(screen, columns, items))
    if (items.length === 0 && screen.isTerminal) yield* printNote("No profiles")
  }),
).pipe(
  Command.withDescription("List profiles without their tokens"),
  Command.withExamples([{ command: "inlet profiles list", description: "Names, addresses and workspaces" }]),
)

const remove = Command.make(
  "remove",
  { name: nameArgument },
  Effect.fnUntraced(function* ({ name }) {
    const stored = yield* profilesOrFail
    yield* profileIn(stored, name)
    const { [name]: _, ...profiles } = stored.profiles
    yield* store({ current: stored.current === name ? null : stored.current, profiles })
    yield* Console.error(`removed ${name}`)
  }),
).pipe(
  Command.withDescription("Remove a profile with its token; the server does not change"),
  Command.withExamples([{ command: "inlet profiles remove prod", description: "Forget a server" }]),
)

const use = Command.make(
  "use",
  { name: Argument.optional(nameArgument) },
  Effect.fnUntraced(function* ({ name }) {
    const stored = yield* profilesOrFail
    const current = Option.getOrNull(name)
    if (current !== null) yield* profileIn(stored, current)
    yield* store({ ...stored, current })
    yield* printNote(current === null ? "No profile is in use" : `Using profile ${current}`)
  }),
).pipe(
  Command.withDescription(
    "Use a profile in all commands that select no other server; without a name, use none",
  ),
  Command.withExamples([
    { command: "inlet profiles use prod", description: "From now on" },
    { command: "inlet profiles use", description: "Use the server on this machine again" },
  ]),
)

export const profilesCommand = Command.make("profiles").pipe(
  Command.withDescription("Manage names for servers and workspaces"),
  Command.withSubcommands([add, list, use, remove]),
)
