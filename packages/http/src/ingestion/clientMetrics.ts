import { accepted as acceptedBody } from "@inlethq/wire/pipelines/answers"
import { bodyTexts } from "@inlethq/wire/texts/bodyTexts"
import { messageOf } from "@inlethq/wire/texts/sentences"
import { defaultLimits } from "@inlethq/core/workspace/Limits"
import { Effect, Metric } from "effect"
import { json, type Answer } from "./Answer.ts"
import type { Endpoint } from "./Call.ts"
import { pipelines } from "./Protocol.ts"
import { readJsonBody } from "./requestBody.ts"

const accepted = json(200, acceptedBody)

/** POST `/m`: counts and discards the metrics that client libraries report about themselves (contract §2). */
export const clientMetrics: Endpoint = ({ request }) =>
  readJsonBody(request, defaultLimits.batchBytesMax).pipe(
    Effect.match({
      onSuccess: () => accepted,
      onFailure: ({ close, status }): Answer =>
        status === 408
          ? { ...pipelines.failure(408, messageOf("svc", bodyTexts.timedOut(""))), close }
          : { ...accepted, close },
    }),
    Effect.tap(() => Metric.update(clientMetricReports, 1)),
  )

export const clientMetricReports = Metric.counter("inlet_client_metric_reports_total", {
  description: "Reports by browser libraries of their own metrics",
  incremental: true,
})
