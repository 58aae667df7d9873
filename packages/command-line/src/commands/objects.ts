import { ObjectCursor } from "@inlet/api/management/Cursor"
import type { ObjectDocument } from "@inlet/api/management/Objects"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WrongOption } from "../commandErrors.ts"
import { cliTexts } from "../cliTexts.ts"
import { optionalFlag, pageFlags } from "../flags.ts"
import { JsonOutput } from "../output/JsonOutput.ts"
import { drawObject } from "../output/objectPage.ts"
import { timeColumn, type Column } from "../output/table.ts"
import { count } from "../output/text.ts"
import { Connection } from "../server/Connection.ts"
import { applyOperation } from "../server/applyOperation.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"
import { confirmFlag, orNotConfirmed } from "./confirm.ts"

/** The number of related people in the output of `inlet objects get`. */
const peopleShown = 20

/** Splits `TYPE/ID` at the first slash. The id itself can contain slashes. */
const typeAndId = (text: string) => {
  const at = text.indexOf("/")
  return at > 0 && at < text.length - 1
    ? Effect.succeed({ object_type_id: text.slice(0, at), object_id: text.slice(at + 1) })
    : Effect.fail(new WrongOption({ message: cliTexts.wrongObject({ given: text }) }))
}

const objectArgument = Argument.String("object").pipe(Argument.withDescription("An object, as TYPE/ID"))

const get = Command.make(
  "get",
  { object: objectArgument },
  Effect.fnUntraced(function* ({ object }) {
    const { workspace } = yield* Connection
    const { isWanted: json } = yield* JsonOutput
    const client = yield* ManagementClient
    const params = { w: workspace, ...(yield* typeAndId(object)) }
    const call = client.objects.get({ params, responseMode: "decoded-and-response" })
    const people = json
      ? { items: [] }
      : yield* client.objects.people({ params, query: { limit: peopleShown, order: "asc" } })
    yield* show(call, (found, screen) => drawObject(screen, found, people.items))
  }, onServer),
).pipe(
  Command.withDescription("Show an object and the people related to it"),
  Command.withExamples([{ command: "inlet objects get 1/acme", description: "The object acme of type 1" }]),
)

const columns: ReadonlyArray<Column<ObjectDocument>> = [
  { heading: "TYPE", text: ({ object_type_id }) => object_type_id, shrinks: true },
  { heading: "ID", text: ({ object_id }) => object_id, style: () => "bold", shrinks: true },
  { heading: "PEOPLE", text: ({ people_total }) => count(people_total) },
  { heading: "ATTRIBUTES", text: ({ attributes }) => String(Object.keys(attributes).length) },
  timeColumn("UPDATED", ({ updated_at }) => updated_at),
]

const list = Command.make(
  "list",
  {
    type: optionalFlag(Flag.String("type"), "Only objects of this type id"),
    ...pageFlags(ObjectCursor),
  },
  Effect.fnUntraced(function* ({ type, ...page }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const filter = Option.isSome(type) ? { object_type_id: type.value } : {}
    yield* showList(
      page,
      (query) =>
        client.objects.list({
          params: { w: workspace },
          query: { ...filter, ...query },
          responseMode: "decoded-and-response",
        }),
      columns,
      "No objects",
    )
  }, onServer),
).pipe(
  Command.withDescription("List objects, newest first"),
  Command.withExamples([{ command: "inlet objects list --type 1", description: "Objects of type 1" }]),
)

const remove = Command.make(
  "delete",
  { object: objectArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ object, yes }) {
    const identifiers = yield* typeAndId(object)
    yield* orNotConfirmed(yes, `Delete object ${object} and its relationships?`)
    yield* applyOperation({ type: "object", action: "delete", identifiers })
  }, onServer),
).pipe(
  Command.withDescription("Delete an object and its relationships"),
  Command.withExamples([
    { command: "inlet objects delete 1/acme --yes", description: "Delete without a question" },
  ]),
)

export const objectsCommand = Command.make("objects").pipe(
  Command.withDescription("Look up and delete objects, such as companies or courses"),
  Command.withSubcommands([get, list, remove]),
)
