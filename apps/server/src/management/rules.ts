import { ManagementApi } from "@inlet/api/management/ManagementApi"
import { NotFound } from "@inlet/api/management/Problem"
import { findRule } from "@inlet/api/rules/findRule"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ruleHandlers = HttpApiBuilder.group(ManagementApi, "rules", (handlers) =>
  handlers.handleAll({
    get: Effect.fn("management.rules.get")(function* ({ params }) {
      const rule = findRule(params.rule)
      if (rule === undefined) {
        return yield* new NotFound({
          detail:
            "unknown rule: expected a name as activity entries give it, such as `track-api §2.1 rule 3`",
        })
      }
      return rule
    }),
  }),
)
