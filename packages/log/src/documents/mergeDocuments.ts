import type { UndoableMerge } from "@inlethq/engine/erasures/merges"
import type { EventGroup, MovingEvents } from "../history/movingEvents.ts"
import { undoDaysMax } from "@inlethq/core/person/freed"
import { operationIdText, svcIdText } from "@inlethq/core/values/Identifier"
import { dayMs, toIso } from "@inlethq/core/values/Timestamp"
import type {
  EventGroupDocument,
  EventTarget,
  MergeDocument,
  MovingEventsDocument,
} from "@inlethq/contract/people/MergePreview"

export const mergeDocument = ({ entry, receipt, secondary }: UndoableMerge): MergeDocument => ({
  operation_id: operationIdText(entry.workspace, entry.sequence, entry.batchIndex),
  position: entry.sequence,
  at: toIso(entry.receivedAt),
  until: toIso(entry.receivedAt + undoDaysMax * dayMs),
  secondary: {
    svc_id: svcIdText(entry.workspace, secondary),
    id: receipt.secondary.id ?? null,
    email: receipt.secondary.email ?? null,
  },
})

export const movingEventsDocument = ({
  before,
  isComplete,
  named,
  others,
}: MovingEvents): typeof MovingEventsDocument.Type => ({
  before: eventGroup(before, "secondary", "secondary"),
  named: eventGroup(named, "primary", "secondary"),
  others: eventGroup(others, "primary", "primary"),
  complete: isComplete,
})

const eventGroup = (
  { count, newest }: EventGroup,
  to: typeof EventTarget.Type,
  toDivided: typeof EventTarget.Type,
): typeof EventGroupDocument.Type => ({
  count,
  to,
  to_divided: toDivided,
  newest: newest.map(({ at, batchIndex, name, sequence, workspace }) => ({
    operation_id: operationIdText(workspace, sequence, batchIndex),
    name,
    at: toIso(at),
  })),
})
