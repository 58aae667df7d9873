import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import type { AlertEvent } from "@inlethq/contract/alerts/Alerts"
import type { DriftEvent } from "@inlethq/contract/types/EventTypes"
import type { ReportingEvent } from "@inlethq/log/reporting/ReportingEvent"
import { operationIdText, Sequence, type WorkspaceId } from "@inlethq/core/values/Identifier"
import { secondMs, toIso, type EpochMillis } from "@inlethq/core/values/Timestamp"
import type { Webhook, WebhookKind } from "@inlethq/core/webhook/Webhook"

/** The id of every sample event, so that receivers can recognize samples. */
const sampleId = "test"

/** No log comes to this position, so a receiver that looks the operation up finds none instead of one of somebody else. */
const sampleSequence = Sequence.make(Number.MAX_SAFE_INTEGER)

/** Returns a sample event of a webhook. The event is about a person who does not exist. */
export const sampleEvent = (
  { kind, workspace }: Webhook,
  now: EpochMillis,
): { readonly eventId: string; readonly body: string } => {
  return { eventId: sampleId, body: JSON.stringify(sampleBody(kind, workspace, now)) }
}

const sampleBody = (kind: WebhookKind, workspace: WorkspaceId, now: EpochMillis) => {
  switch (kind) {
    case "alerts":
      return sampleAlert(now)
    case "activity":
      return sampleEntry(workspace, now)
    case "reporting":
      return sampleReport(now)
    case "types":
      return sampleDrift(workspace, now)
  }
}

const sampleAlert = (now: EpochMillis): AlertEvent => ({
  event_id: sampleId,
  state: "began",
  alert_id: sampleId,
  condition: "lag",
  subject: `webhook:${sampleId}`,
  summary: "This is a test: nothing is wrong.",
  operation_id: null,
  began_at: toIso(now),
  ended_at: null,
})

const sampleDrift = (workspace: WorkspaceId, now: EpochMillis): DriftEvent => {
  const operationId = operationIdText(workspace, sampleSequence, null)
  return {
    event_id: sampleId,
    operation_id: operationId,
    at: toIso(now),
    changes: [
      {
        change: "new_name",
        kind: "event",
        name: sampleId,
        path: null,
        summary: `The name ${sampleId} is new.`,
        at: toIso(now),
        operation_id: operationId,
        sender: null,
      },
    ],
    complete: true,
  }
}

const sampleReport = (now: EpochMillis): ReportingEvent => ({
  metric: "opened",
  event_id: sampleId,
  object_type: "email",
  timestamp: Math.floor(now / secondMs),
  data: {
    customer_id: "ada",
    identifiers: { id: "ada", email: "ada@example.com", cio_id: "p11000000000" },
    delivery_id: sampleId,
    recipient: "ada@example.com",
    subject: "A test of this webhook",
    proxied: false,
    prefetched: false,
    synthetic: false,
  },
})

const sampleEntry = (workspace: WorkspaceId, now: EpochMillis): ActivityDocument => ({
  operation_id: operationIdText(workspace, sampleSequence, null),
  sequence: sampleSequence,
  at: toIso(now),
  original_timestamp: null,
  received_at: toIso(now),
  processed_at: toIso(now),
  source: "management",
  sender: null,
  kind: "event",
  name: sampleId,
  outcome: "applied",
  reason: null,
  reasons: [],
  rule: null,
  subject: {
    svc_id: "p11000000000",
    id: "ada",
    email: "ada@example.com",
    name: "Ada Lovelace",
    anonymous_id: null,
    object_type_id: null,
    object_id: null,
  },
  id: null,
  trigger_eligible: false,
  data: {},
  changes: [],
  request: null,
  refused: [],
  kept_as: [],
  effects: [],
})
