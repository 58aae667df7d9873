import { activityDocument } from "@inlethq/log/documents/activityDocument"
import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import type { ActivityKind } from "@inlethq/core/log/ActivityEntry"
import { svcIdText, svcObjectIdText } from "@inlethq/core/values/Identifier"
import type { KafkaMessage } from "./KafkaSender.ts"

/**
 * The name of the message header with the operation id. Another header names the workspace, because several workspaces
 * can share a topic.
 */
const operationHeader = "inlet-operation-id"
const workspaceHeader = "inlet-environment-id"

/**
 * Returns the Kafka message for a log entry. Its value is the entry in the format of the activity list, and its key
 * identifies the person, object or other subject that the entry is about.
 */
export const kafkaMessage = (topic: string, record: ActivityRecord): KafkaMessage => {
  // Names such as `svc_id` in Kafka messages always begin with `svc`, even if `INLET_BRAND` is `cio` (contract §1).
  const document = activityDocument(record, "svc")
  const key = document.subject.svc_id ?? subjectKeyOf(record)
  return {
    topic,
    ...(key === null ? {} : { key }),
    value: JSON.stringify(document),
    headers: {
      [operationHeader]: document.operation_id,
      [workspaceHeader]: String(record.entry.workspace),
    },
  }
}

/**
 * Returns the message key for an entry that belongs to no person. The key identifies the visitor, the object or another
 * subject.
 */
const subjectKeyOf = ({ entry, subject }: ActivityRecord): string | null => {
  if (entry.subject === null) return null
  const isObject = subject?._tag === "DataObject" || isObjectKind(entry.kind)
  return (isObject ? svcObjectIdText : svcIdText)(entry.workspace, entry.subject)
}

/**
 * Returns whether every entry of this kind is about an object. After an object was deleted, only the kind shows that an
 * entry is about an object.
 */
const isObjectKind = (kind: ActivityKind | null): boolean =>
  kind === "object_identify" || kind === "object_delete"
