import type { Channel, Delivery, DeliveryMetric, SourceId } from "@inlet/core/state/Delivery"
import type { Form } from "@inlet/core/state/Form"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlet/core/values/Identifier"
import type { Segment } from "@inlet/core/state/Segment"
import { integer, text, type Row } from "./columns.ts"
import { fromStored } from "./storedText.ts"

/*
 * The documents of deliveries, forms and segments in rows of `subjects`. Absent is null or none.
 */

interface DeliveryDoc {
  readonly channel: Channel | undefined
  readonly person: SubjectKey | undefined
  readonly formerly: ReadonlyArray<SubjectKey> | undefined
  readonly registered: Sequence | undefined
  readonly recipient: string | undefined
  readonly subject: string | undefined
  readonly sources: ReadonlyArray<readonly [SourceId, number | string]> | undefined
  readonly metrics: ReadonlyArray<readonly [DeliveryMetric, firstAt: number, count: number]> | undefined
}

interface FormDoc {
  readonly formId: string
  readonly mapping: ReadonlyArray<readonly [field: string, attribute: string]>
}

interface SegmentDoc {
  readonly name: string
  readonly description: string | undefined
}

export const deliveryDoc = (delivery: Delivery): string => {
  const { channel, formerly, metrics, person, recipient, registered, sources, subject } = delivery
  const doc: DeliveryDoc = {
    channel: channel ?? undefined,
    person: person ?? undefined,
    formerly: formerly.length === 0 ? undefined : formerly,
    registered: registered ?? undefined,
    recipient: recipient ?? undefined,
    subject: subject ?? undefined,
    sources: sources.size === 0 ? undefined : [...sources],
    metrics:
      metrics.size === 0
        ? undefined
        : Array.from(metrics, ([metric, { count, firstAt }]) => [metric, firstAt, count] as const),
  }
  return JSON.stringify(doc)
}

export const deliveryOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): Delivery => {
  const doc: DeliveryDoc = JSON.parse(text(row["doc"]))
  return {
    _tag: "Delivery",
    key,
    workspace,
    deliveryId: fromStored(text(row["name"])),
    channel: doc.channel ?? null,
    person: doc.person ?? null,
    formerly: doc.formerly ?? [],
    registered: doc.registered ?? null,
    recipient: doc.recipient ?? null,
    subject: doc.subject ?? null,
    sources: new Map(doc.sources),
    metrics: new Map(doc.metrics?.map(([metric, firstAt, count]) => [metric, { firstAt, count }])),
    createdAt: integer(row["created"]),
    updatedAt: integer(row["updated"]),
  }
}

export const formDoc = ({ formId, mapping }: Form): string => {
  const doc: FormDoc = { formId, mapping: [...mapping] }
  return JSON.stringify(doc)
}

export const formOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): Form => {
  const doc: FormDoc = JSON.parse(text(row["doc"]))
  return {
    _tag: "Form",
    key,
    workspace,
    formId: doc.formId,
    mapping: new Map(doc.mapping),
    createdAt: integer(row["created"]),
    updatedAt: integer(row["updated"]),
  }
}

export const segmentDoc = ({ description, name }: Segment): string => {
  const doc: SegmentDoc = { name, description: description ?? undefined }
  return JSON.stringify(doc)
}

export const segmentOf = (key: SubjectKey, workspace: WorkspaceId, row: Row): Segment => {
  const doc: SegmentDoc = JSON.parse(text(row["doc"]))
  return {
    _tag: "Segment",
    key,
    workspace,
    name: doc.name,
    description: doc.description ?? null,
    createdAt: integer(row["created"]),
  }
}
