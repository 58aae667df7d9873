import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { NotFound } from "@inlethq/contract/access/Problem"
import { findClause } from "@inlethq/log/clauses/findClause"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { problemTexts } from "../../problems/problemTexts.ts"

export const clauseHandlers = HttpApiBuilder.group(ManagementApi, "rules", (handlers) =>
  handlers.handleAll({
    get: Effect.fn("management.rules.get")(function* ({ params }) {
      const rule = findClause(params.rule)
      if (rule === undefined) {
        return yield* new NotFound({
          detail: problemTexts.unknownRule(),
        })
      }
      return rule
    }),
  }),
)
