import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { provenanceOf } from "@inlethq/core/log/ActivityEntry"
import type { JsonObject } from "@inlethq/core/values/Json"
import type { Workspace } from "@inlethq/core/workspace/Workspace"
import { first, mapForm, second, submitForm } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { activity, apply, list, personBy } from "../script/scenario.ts"
import { refuse } from "../log/rejectionLaws.ts"

const formBy = Effect.fnUntraced(function* (formId: string, workspace = first) {
  return Option.getOrNull(yield* (yield* Catalog).form(workspace.id, formId))
})

/** What may be kept of a submission of the form `f`. */
const sentForm = (data: JsonObject) => ({ sent: { ...refuse({ data }).sent, name: null, form: "f" } })

/** The properties that every store must have in the handling of forms. */
export const formLaws: ReadonlyArray<Law> = [
  {
    name: "track-api §4.3 rule 3: the first submission creates a form, even if it names no person",
    check: Effect.gen(function* () {
      const { entries } = yield* apply(
        submitForm("f", [
          ["z", "1"],
          ["address", "ada@example.com"],
          ["__proto__", "x"],
        ]),
      )
      yield* expectSame("outcome", entries[0]?.outcome, "rejected")
      const fields = ["z", "address", "__proto__"]
      yield* expectSame("fields in order", [...((yield* formBy("f"))?.mapping.keys() ?? [])], fields)
      yield* expectSame("in another workspace", yield* formBy("f", second), null)
      yield* apply(mapForm("f", [["address", "email"]]))
      yield* apply(
        submitForm("f", [
          ["new", "2"],
          ["address", "ada@example.com"],
        ]),
      )
      yield* expectSame(
        "mapping",
        [...((yield* formBy("f"))?.mapping ?? [])],
        [
          ["z", "z"],
          ["address", "email"],
          ["__proto__", "__proto__"],
          ["new", "new"],
        ],
      )
      const ada = yield* personBy({ kind: "email", value: "ada@example.com" })
      yield* expectSame("respondent", ada?.attributes.get("new")?.value, "2")
    }),
  },
  {
    name: "contract §13 omit: a field is left out by the name of the attribute that it sets, accepted and rejected",
    check: Effect.gen(function* () {
      const omitting: Workspace = { ...first, omit: ["traits.ssn", "properties.town", "traits.email"] }
      yield* apply(
        submitForm("f", [["id", "ada"]]),
        mapForm("f", [
          ["number", "ssn"],
          ["place", "town"],
          ["mail", "email"],
        ]),
      )
      const given = { id: "ada", number: "1", place: "Bonn", mail: "ada@example.com", plan: "pro" }
      const left = { id: "ada", place: "Bonn", plan: "pro" }
      yield* apply(
        submitForm("f", Object.entries(given), { in: omitting }),
        {
          ...submitForm("f", Object.entries({ number: "1", mail: "ada@example.com" }), { in: omitting }),
          ...sentForm({ number: "1", mail: "ada@example.com" }),
        },
        {
          ...refuse({ data: given }, {}, { in: omitting }),
          ...sentForm(given),
          kind: "form_submission",
        },
      )
      const views = (yield* activity()).slice(2)
      yield* expectSame(
        "shown",
        views.map(({ call, data, outcome }) => [outcome, call === null ? data : call.data]),
        [
          ["applied", left],
          ["rejected", { data: {} }],
          ["rejected", { data: left }],
        ],
      )
      yield* expectSame(
        "named",
        views.map((view) => provenanceOf(view).omitted),
        Array.from({ length: 3 }, () => ["traits.ssn", "traits.email"]),
      )
      const ada = yield* personBy({ kind: "id", value: "ada" })
      yield* expectSame("attributes", [...(ada?.attributes.keys() ?? [])], ["town", "plan"])
      yield* expectSame("email", ada?.email, null)
    }),
  },
  {
    name: "lists the forms of one workspace in pages and in both orders",
    check: Effect.gen(function* () {
      const ids = ["a", "b", "\ud800", "d", "e"]
      yield* apply(
        ...ids.map((id) => submitForm(id, [["id", "ada"]])),
        submitForm("elsewhere", [["id", "ada"]], { in: second }),
      )
      for (const limit of [1, 2, 5, 100]) {
        const up = yield* list((catalog, workspace, page) => catalog.forms(workspace.id, page), { limit })
        yield* expectSame(
          "first seen first",
          up.map(({ formId }) => formId),
          ids,
        )
        const listing = { limit, order: "desc" } as const
        const down = yield* list((catalog, workspace, page) => catalog.forms(workspace.id, page), listing)
        yield* expectSame("last seen first", down, up.toReversed())
      }
      yield* expectSame("a form with a lone surrogate in its id", (yield* formBy("\ud800"))?.formId, "\ud800")
    }),
  },
]
