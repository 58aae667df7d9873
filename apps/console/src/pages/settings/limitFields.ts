import type { WorkspaceDocument } from "../../api/documents.ts"

export type LimitName = keyof WorkspaceDocument["limits"]

interface LimitGroup {
  readonly title: string
  readonly fields: ReadonlyArray<readonly [name: LimitName, label: string]>
}

/** The limits of a workspace in the order of the page. Sizes are bytes of UTF-8. */
export const limitGroups: ReadonlyArray<LimitGroup> = [
  {
    title: "Most bytes",
    fields: [
      ["request_bytes", "In a request"],
      ["batch_bytes", "In a batch"],
      ["batch_item_bytes", "In an item of a batch"],
      ["person_id_bytes", "In a person's id"],
      ["object_id_bytes", "In an object's id"],
      ["attribute_name_bytes", "In an attribute's name"],
      ["attribute_value_bytes", "In an attribute's value"],
      ["object_attributes_bytes", "In all attributes of an object"],
      ["event_name_bytes", "In an event's name"],
      ["event_data_bytes", "In an event's data"],
      ["preferences_bytes", "In a person's subscription preferences"],
    ],
  },
  {
    title: "Most items",
    fields: [
      ["attributes_per_person", "Attributes of a person"],
      ["attributes_per_object", "Attributes of an object"],
      ["relationships_per_person", "Relationships of a person"],
      ["devices_per_person", "Devices of a person"],
      ["segments_per_person", "Segments of a person"],
      ["identifiers_per_person", "Visitors and merged people of a person"],
      ["topics_per_person", "Topics of a person's preferences"],
      ["segment_ids", "People in a call that changes a segment"],
    ],
  },
]
