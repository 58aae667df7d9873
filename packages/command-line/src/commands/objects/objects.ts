import { ObjectCursor } from "@inlethq/contract/values/Cursor"
import type { ObjectDocument } from "@inlethq/contract/objects/Objects"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { WrongOption } from "../../texts/commandErrors.ts"
import { cliTexts } from "../../texts/cliTexts.ts"
import { optionalFlag, pageFlags } from "../../flags/flags.ts"
import { momentFlags, momentOf, type GivenMoment } from "../../flags/moment.ts"
import { JsonOutput } from "../../output/JsonOutput.ts"
import { drawObject } from "../../output/objectPage.ts"
import { timeColumn } from "../../output/table.ts"
import { count } from "../../output/text.ts"
import { applyOperation } from "../../server/applyOperation.ts"
import { show } from "../../server/show.ts"
import { confirmFlag, orNotConfirmed } from "../shared/confirm.ts"
import { calling, command, listing, raw, type Reach, type Resource } from "../shared/resource.ts"

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

const objects: Resource<ObjectDocument> = {
  group: "objects",
  about: "Look up and delete objects, such as companies or courses",
  columns: [
    { heading: "TYPE", text: ({ object_type_id }) => object_type_id, shrinks: true },
    { heading: "ID", text: ({ object_id }) => object_id, style: () => "bold", shrinks: true },
    { heading: "PEOPLE", text: ({ people_total }) => count(people_total) },
    { heading: "ATTRIBUTES", text: ({ attributes }) => String(Object.keys(attributes).length) },
    timeColumn("UPDATED", ({ updated_at }) => updated_at),
  ],
  empty: "No objects",
  examples: {
    get: {
      "inlet objects get 1/acme": "The object acme of type 1",
      "inlet objects get 1/acme --at 2026-11-01": "As it was at a time, even if it was deleted since",
    },
    list: { "inlet objects list --type 1": "Objects of type 1" },
    delete: { "inlet objects delete 1/acme --yes": "Delete without a question" },
  },
}

/** The object that is shown, and the moment. */
interface Shown extends GivenMoment {
  readonly object: string
}

const get = command(
  objects,
  "get",
  "Show an object and the people related to it",
  { object: objectArgument, ...momentFlags("The object as it was") },
  calling(
    Effect.fnUntraced(function* ({ client, w }: Reach, { object, ...moment }: Shown) {
      const { isWanted: json } = yield* JsonOutput
      const params = { w, ...(yield* typeAndId(object)) }
      const query = momentOf(moment)
      const people = json
        ? { items: [] }
        : yield* client.objects.people({ params, query: { ...query, limit: peopleShown, order: "asc" } })
      yield* show(client.objects.get({ params, query, ...raw }), (found, screen) =>
        drawObject(screen, found, people.items),
      )
    }),
  ),
)

const list = command(
  objects,
  "list",
  "List objects, newest first",
  {
    type: optionalFlag(Flag.String("type"), "Only objects of this type id"),
    ...pageFlags(ObjectCursor),
  },
  listing(objects, ({ client, w }, query, { type }) =>
    client.objects.list({
      params: { w },
      query: { ...(Option.isSome(type) && { object_type_id: type.value }), ...query },
      ...raw,
    }),
  ),
)

const remove = command(
  objects,
  "delete",
  "Delete an object and its relationships",
  { object: objectArgument, ...confirmFlag },
  Effect.fnUntraced(function* ({ object, yes }) {
    const identifiers = yield* typeAndId(object)
    yield* orNotConfirmed(yes, `Delete object ${object} and its relationships?`)
    yield* applyOperation({ type: "object", action: "delete", identifiers })
  }),
)

export const objectsCommand = Command.make(objects.group).pipe(
  Command.withDescription(objects.about),
  Command.withSubcommands([get, list, remove]),
)
