import { FormCursor } from "@inlethq/contract/values/Cursor"
import type { FormDocument } from "@inlethq/contract/objects/Forms"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { pageFlags } from "../../flags/flags.ts"
import { textPairs } from "../../flags/pairs.ts"
import { drawTable, timeColumn } from "../../output/table.ts"
import { command, listing, raw, showing, type Resource } from "../shared/resource.ts"

const forms: Resource<FormDocument> = {
  group: "forms",
  about: "Look up forms and map their fields",
  columns: [
    { heading: "FORM", text: ({ form_id }) => form_id, style: () => "bold", shrinks: true },
    {
      heading: "FIELDS",
      text: ({ fields, mapping }) => fields.map((field) => fieldText(field, mapping[field])).join(" "),
      shrinks: true,
    },
    timeColumn("UPDATED", ({ updated_at }) => updated_at),
  ],
  empty: "No forms: a form appears with its first submission",
  examples: {
    list: { "inlet forms list": "Newest first" },
    map: {
      "inlet forms map contact mail=email": "The field mail sets the email, which identifies the person",
    },
  },
}

const fieldText = (field: string, attribute: string | undefined): string =>
  attribute === undefined || attribute === field ? field : `${field}=${attribute}`

const list = command(
  forms,
  "list",
  "List forms and the attributes that their fields set",
  pageFlags(FormCursor),
  listing(forms, ({ client, w }, query) => client.forms.list({ params: { w }, query, ...raw })),
)

const map = command(
  forms,
  "map",
  "Map the fields of a form to the attributes that they set",
  {
    form: Argument.String("form").pipe(Argument.withDescription("The id of the form")),
    fields: Argument.String("field=attribute").pipe(
      Argument.withDescription("The attribute that a field sets; id and email identify the person"),
      Argument.atLeast(1),
    ),
  },
  showing(
    ({ client, w }, { fields, form }) =>
      Effect.flatMap(textPairs(fields), (mapping) =>
        client.forms.update({ params: { w, form_id: form }, payload: { mapping }, ...raw }),
      ),
    (mapped, screen) => drawTable(screen, forms.columns, [mapped]),
  ),
)

export const formsCommand = Command.make(forms.group).pipe(
  Command.withDescription(forms.about),
  Command.withSubcommands([list, map]),
)
