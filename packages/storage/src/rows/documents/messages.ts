import type { Channel, Delivery, DeliveryMetric, SourceId } from "@inlethq/core/state/Delivery"
import type { Form } from "@inlethq/core/state/Form"
import type { Sequence, SubjectKey, WorkspaceId } from "@inlethq/core/values/Identifier"
import { integer, text, type Row } from "../../columns/columns.ts"
import { fromStored } from "../../columns/storedText.ts"

/*
 * The documents of deliveries and forms in rows of `subjects`. Fields that are null or empty are left out.
 */

interface DeliveryDocument {
  readonly channel: Channel | undefined
  readonly person: SubjectKey | undefined
  readonly formerly: ReadonlyArray<SubjectKey> | undefined
  readonly registered: Sequence | undefined
  readonly recipient: string | undefined
  readonly subject: string | undefined
  readonly sources: ReadonlyArray<readonly [SourceId, number | string]> | undefined
  readonly metrics: ReadonlyArray<readonly [DeliveryMetric, firstAt: number, count: number]> | undefined
}

interface FormDocument {
  readonly formId: string
  readonly mapping: ReadonlyArray<readonly [field: string, attribute: string]>
}

export const deliveryDocument = (delivery: Delivery): string => {
  const { channel, formerly, metrics, person, recipient, registered, sources, subject } = delivery
  const document: DeliveryDocument = {
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
  return JSON.stringify(document)
}

export const deliveryFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Delivery => {
  const document: DeliveryDocument = JSON.parse(text(row["doc"]))
  return {
    _tag: "Delivery",
    key,
    workspace,
    deliveryId: fromStored(text(row["name"])),
    channel: document.channel ?? null,
    person: document.person ?? null,
    formerly: document.formerly ?? [],
    registered: document.registered ?? null,
    recipient: document.recipient ?? null,
    subject: document.subject ?? null,
    sources: new Map(document.sources),
    metrics: new Map(document.metrics?.map(([metric, firstAt, count]) => [metric, { firstAt, count }])),
    createdAt: integer(row["created"]),
    updatedAt: integer(row["updated"]),
  }
}

export const formDocument = ({ formId, mapping }: Form): string => {
  const document: FormDocument = { formId, mapping: [...mapping] }
  return JSON.stringify(document)
}

export const formFromRow = (key: SubjectKey, workspace: WorkspaceId, row: Row): Form => {
  const document: FormDocument = JSON.parse(text(row["doc"]))
  return {
    _tag: "Form",
    key,
    workspace,
    formId: document.formId,
    mapping: new Map(document.mapping),
    createdAt: integer(row["created"]),
    updatedAt: integer(row["updated"]),
  }
}
