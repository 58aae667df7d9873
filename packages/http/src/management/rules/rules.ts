import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { NotFound } from "@inlethq/contract/access/Problem"
import { findRule } from "@inlethq/log/rules/findRule"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { problemTexts } from "../../problems/problemTexts.ts"

export const ruleHandlers = HttpApiBuilder.group(ManagementApi, "rules", (handlers) =>
  handlers.handleAll({
    get: Effect.fn("management.rules.get")(function* ({ params }) {
      const rule = findRule(params.rule)
      if (rule === undefined) {
        return yield* new NotFound({
          detail: problemTexts.unknownRule(),
        })
      }
      return rule
    }),
  }),
)
