import type { ActivityDocument } from "@inlethq/contract/activity/ActivityLog"
import { sentenceOf } from "@inlethq/wire/texts/sentences"
import { Sequence } from "@inlethq/core/values/Identifier"

/** Returns an activity entry for an event of the person `ada`. The fields in `over` replace those of the entry. */
export const entryWith = ({
  reasons = [],
  ...over
}: Partial<Omit<ActivityDocument, "reason">>): ActivityDocument => ({
  operation_id: "op11000000009",
  sequence: Sequence.make(9),
  at: "2026-01-31T12:00:00.000Z",
  original_timestamp: null,
  received_at: "2026-01-31T12:00:00.000Z",
  processed_at: "2026-01-31T12:00:00.000Z",
  source: "track-v2",
  sender: null,
  kind: "event",
  name: "signed_up",
  outcome: "applied",
  reason: sentenceOf("svc", reasons),
  reasons,
  rule: "track-api §2.5",
  subject: {
    svc_id: "p11000000001",
    id: "ada",
    email: null,
    name: null,
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
  ...over,
})
