import { AlertCondition, type Alert } from "@inlethq/core/alert/Alert"
import { WorkspaceId } from "@inlethq/core/values/Identifier"
import { toIso } from "@inlethq/core/values/Timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { reads, Requirement } from "../access/Access.ts"
import { ProblemAnswers } from "../access/Authorization.ts"
import { IsoTime } from "../values/IsoTime.ts"

export const AlertDocument = Schema.Struct({
  alert_id: Schema.String.annotate({ description: "the same whenever the same thing is not well again" }),
  condition: AlertCondition,
  subject: Schema.String.annotate({
    description:
      "what it is about: the `cause` of refusals, `operations`, the kind and the name of an event such as `event:Order Placed`, or what lags: `webhook:` or `forward:` with an id, `lake` or `timers`",
  }),
  summary: Schema.String.annotate({ description: "what is wrong, as a sentence" }),
  operation_id: Schema.NullOr(Schema.String).annotate({
    description: "the first operation that shows it, or the last of a silent name",
  }),
  began_at: IsoTime,
  ended_at: Schema.NullOr(IsoTime).annotate({ description: "null while it lasts" }),
}).annotate({
  identifier: "Alert",
  description: "something that is not well, or was; of one thing only the last time is kept",
})
export type AlertDocument = typeof AlertDocument.Type

const AlertList = Schema.Struct({ items: Schema.Array(AlertDocument) }).annotate({
  identifier: "Alerts",
  description: "what is not well and what was, at most 200; what began last is first",
})

/** An event of a webhook of kind `alerts`. */
export interface AlertEvent extends AlertDocument {
  readonly event_id: string
  readonly state: "began" | "ended"
}

export class AlertsGroup extends HttpApiGroup.make("alerts")
  .add(
    HttpApiEndpoint.get("list", "/workspaces/:w/alerts", {
      params: { w: WorkspaceId },
      query: {
        state: Schema.optionalKey(Schema.Literals(["open", "ended"])).annotate({
          description: "only alerts that last, or only those that have ended",
        }),
      },
      success: AlertList,
    }).annotate(Requirement, reads),
  )
  .middleware(ProblemAnswers)
  .annotateMerge(OpenApi.annotations({ title: "Alerts" })) {}

export const alertDocument = (alert: Alert): AlertDocument => ({
  alert_id: alert.alertId,
  condition: alert.condition,
  subject: alert.subject,
  summary: alert.summary,
  operation_id: alert.operationId,
  began_at: toIso(alert.beganAt),
  ended_at: alert.endedAt === null ? null : toIso(alert.endedAt),
})
