import { activityDocument } from "@inlet/api/management/ActivityLog"
import type { ActivityRecord } from "@inlet/core/catalog/ActivityView"
import type { ActivityKind } from "@inlet/core/log/ActivityEntry"
import { svcIdText, svcObjectIdText } from "@inlet/core/values/Identifier"
import type { KafkaMessage } from "./KafkaSender.ts"

/** The headers of a message: the id of its operation, and the workspace, because workspaces can share a topic. */
const operationHeader = "inlet-operation-id"
const workspaceHeader = "inlet-environment-id"

/** Returns the message of an entry: the entry as the activity list shows it, with its subject as the key. */
export const kafkaMessage = (topic: string, record: ActivityRecord): KafkaMessage => {
  // Keys of people and objects are written with `svc` here, as in webhooks and the management API (contract §16).
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

/** Returns the key of an entry that belongs to no person: its visitor, object or other subject. */
const subjectKeyOf = ({ entry, subject }: ActivityRecord): string | null => {
  if (entry.subject === null) return null
  const isObject = subject?._tag === "DataObject" || isObjectKind(entry.kind)
  return (isObject ? svcObjectIdText : svcIdText)(entry.workspace, entry.subject)
}

/** Returns whether entries of a kind are always about objects, also after the object was deleted. */
const isObjectKind = (kind: ActivityKind | null): boolean =>
  kind === "object_identify" || kind === "object_delete"
