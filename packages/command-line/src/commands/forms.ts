import { FormCursor } from "@inlet/api/management/Cursor"
import type { FormDocument } from "@inlet/api/management/Forms"
import { ManagementClient } from "@inlet/sdk/management/ManagementClient"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { pageFlags } from "../flags.ts"
import { textPairs } from "../pairs.ts"
import { drawTable, timeColumn, type Column } from "../output/table.ts"
import { Connection } from "../server/Connection.ts"
import { onServer } from "../server/onServer.ts"
import { show } from "../server/show.ts"
import { showList } from "../server/showList.ts"

const columns: ReadonlyArray<Column<FormDocument>> = [
  { heading: "FORM", text: ({ form_id }) => form_id, style: () => "bold", shrinks: true },
  {
    heading: "FIELDS",
    text: ({ fields, mapping }) => fields.map((field) => fieldText(field, mapping[field])).join(" "),
    shrinks: true,
  },
  timeColumn("UPDATED", ({ updated_at }) => updated_at),
]

const fieldText = (field: string, attribute: string | undefined): string =>
  attribute === undefined || attribute === field ? field : `${field}=${attribute}`

const list = Command.make(
  "list",
  pageFlags(FormCursor),
  Effect.fnUntraced(function* (page) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    yield* showList(
      page,
      (query) => client.forms.list({ params: { w: workspace }, query, responseMode: "decoded-and-response" }),
      columns,
      "No forms: a form appears with its first submission",
    )
  }, onServer),
).pipe(
  Command.withDescription("List forms and the attributes that their fields set"),
  Command.withExamples([{ command: "inlet forms list", description: "Newest first" }]),
)

const map = Command.make(
  "map",
  {
    form: Argument.String("form").pipe(Argument.withDescription("The id of the form")),
    fields: Argument.String("field=attribute").pipe(
      Argument.withDescription("The attribute that a field sets; id and email identify the person"),
      Argument.atLeast(1),
    ),
  },
  Effect.fnUntraced(function* ({ fields, form }) {
    const { workspace } = yield* Connection
    const client = yield* ManagementClient
    const payload = { mapping: yield* textPairs(fields) }
    const params = { w: workspace, form_id: form }
    yield* show(
      client.forms.update({ params, payload, responseMode: "decoded-and-response" }),
      (mapped, screen) => drawTable(screen, columns, [mapped]),
    )
  }, onServer),
).pipe(
  Command.withDescription("Map the fields of a form to the attributes that they set"),
  Command.withExamples([
    {
      command: "inlet forms map contact mail=email",
      description: "The field mail sets the email, which identifies the person",
    },
  ]),
)

export const formsCommand = Command.make("forms").pipe(
  Command.withDescription("Look up forms and map their fields"),
  Command.withSubcommands([list, map]),
)
