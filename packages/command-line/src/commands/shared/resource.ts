import type { WorkspaceId } from "@inlethq/core/values/Identifier"
import { ManagementClient } from "@inlethq/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Command } from "effect/cli"
import type { PageFlags, PageQuery } from "../../flags/flags.ts"
import { printNote } from "../../output/note.ts"
import type { Screen } from "../../output/Screen.ts"
import type { Column } from "../../output/table.ts"
import { Connection } from "../../server/Connection.ts"
import { onServer } from "../../server/onServer.ts"
import { show, type Answer } from "../../server/show.ts"
import { showList, type PageAnswer } from "../../server/showList.ts"
import { orNotConfirmed } from "./confirm.ts"

/** What the commands about one kind of document have in common. */
export interface Resource<Document> {
  /** The word of the group, as in `inlet keys`. */
  readonly group: string
  readonly about: string
  readonly columns: ReadonlyArray<Column<Document>>
  /** What a list without items says on a terminal. */
  readonly empty: string
  readonly examples: Examples
}

/** For each command of a group, its examples: what to type, and what it does. */
type Examples = Readonly<Record<string, Readonly<Record<string, string>>>>

/** What a command reads and writes with: the client of the management API, and the selected workspace. */
export interface Reach {
  readonly client: ManagementClient["Service"]
  readonly w: WorkspaceId
}

/** Lets a call return the HTTP response too, from which `--json` prints what the server sent. */
export const raw = { responseMode: "decoded-and-response" } as const

/** Returns a command of a group, with the examples that the resource has for it. `run` has the client of the selected server. */
export const command = <const Name extends string, const Config extends Command.Command.Config, A, E, R>(
  { examples }: { readonly examples: Examples },
  name: Name,
  about: string,
  config: Config,
  run: (given: Command.Command.Config.Infer<Config>) => Effect.Effect<A, E, R>,
) =>
  Command.make(name, config, (given) => onServer(run(given))).pipe(
    Command.withDescription(about),
    Command.withExamples(
      Object.entries(examples[name] ?? {}).map(([line, description]) => ({ command: line, description })),
    ),
  )

const reached = Effect.gen(function* () {
  const { workspace } = yield* Connection
  return { client: yield* ManagementClient, w: workspace } satisfies Reach
})

/** Runs a command that calls the management API. */
export const calling =
  <Given, A, E, R>(call: (reach: Reach, given: Given) => Effect.Effect<A, E, R>) =>
  (given: Given) =>
    Effect.flatMap(reached, (reach) => call(reach, given))

/** Runs a command that prints a list. If nothing is found, `hintFor` may say how to ask otherwise. */
export const listing = <Document, Cursor, Given, E, R>(
  { columns, empty }: Pick<Resource<Document>, "columns" | "empty">,
  read: (
    reach: Reach,
    query: PageQuery<Cursor>,
    given: Given,
  ) => Effect.Effect<PageAnswer<Document, Cursor>, E, R>,
  hintFor: (given: Given) => string | null = () => null,
) =>
  calling((reach, given: Given & PageFlags<Cursor>) =>
    showList(given, (query) => read(reach, query, given), columns, { empty, hint: hintFor(given) }),
  )

/** Runs a command that prints one document, and a note on standard error if there is one. */
export const showing = <Document, Given, E, R>(
  read: (reach: Reach, given: Given) => Effect.Effect<Answer<Document>, E, R>,
  draw: (document: Document, screen: Screen) => ReadonlyArray<string>,
  note?: string,
) =>
  calling((reach, given: Given) =>
    Effect.andThen(show(read(reach, given), draw), note === undefined ? Effect.void : printNote(note)),
  )

/** Runs a command that asks for confirmation, makes a call and says what it did. */
export const confirming = <Given, A, E, R>(
  question: (given: Given) => string,
  call: (reach: Reach, given: Given) => Effect.Effect<A, E, R>,
  done: (given: Given) => string,
) =>
  calling((reach, given: Given & { readonly yes: boolean }) =>
    orNotConfirmed(given.yes, question(given)).pipe(
      Effect.andThen(call(reach, given)),
      Effect.andThen(printNote(done(given))),
    ),
  )
