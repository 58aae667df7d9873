import { Effect, Option } from "effect"
import { Catalog } from "@inlethq/core/catalog/Catalog"
import { first, mapForm, second, submitForm } from "../script/commands.ts"
import { expectSame, type Law } from "../script/Law.ts"
import { apply, list, personBy } from "../script/scenario.ts"

const formBy = Effect.fnUntraced(function* (formId: string, workspace = first) {
  return Option.getOrNull(yield* (yield* Catalog).form(workspace.id, formId))
})

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
