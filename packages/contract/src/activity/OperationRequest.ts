import { Schema } from "effect"

/**
 * An operation that an operator asks for: an entity of the Track API v2 (track-api §4.2), such as `{"type":"person",
 * "action":"identify","identifiers":{"svc_id":"…"},"attributes":{"plan":"pro"}}`, or a change of a manual segment, such as
 * `{"type":"segment","action":"add","segment_id":3,"id_type":"email","ids":["ada@example.com"]}`.
 */
export const OperationRequest = Schema.StructWithRest(
  Schema.Struct({ type: Schema.String, action: Schema.String }),
  [Schema.Record(Schema.String, Schema.Json)],
).annotate({
  identifier: "OperationRequest",
  description:
    "an entity of the Track API v2, with `type`, `action` and the fields of that action; or `type` `segment`, `action` `add` or `remove`, `segment_id`, `ids` and their `id_type` (`id` by default, `email` or `svc_id`); or `type` `person`, `action` `unmerge`, `primary` and `secondary` with the `svc_id` of who was merged, and `divide` true if events since the merge that named an identifier of the secondary go back",
})
export type OperationRequest = typeof OperationRequest.Type
