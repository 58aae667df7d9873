import type { ActivityDocument } from "../../api/documents.ts"

/** A message to a person, with its newest report. A report is an event such as sent or opened. */
export interface ReportedDelivery {
  readonly deliveryId: string
  /** The name of the newest report, such as "Email Opened". */
  readonly report: string
  readonly reportedAt: string
}

/**
 * Returns the deliveries that the activity entries report on, each with its newest report. The entries must be sorted
 * newest first.
 */
export const reportedDeliveries = (
  entries: ReadonlyArray<ActivityDocument>,
): ReadonlyArray<ReportedDelivery> => {
  const found = new Map<string, ReportedDelivery>()
  for (const { data, name, received_at: reportedAt } of entries) {
    const deliveryId = deliveryIdIn(data)
    if (deliveryId === undefined || found.has(deliveryId)) continue
    found.set(deliveryId, { deliveryId, report: name ?? "", reportedAt })
  }
  return [...found.values()]
}

/** Returns the id of the delivery in the metric event that the data of an entry contains. */
const deliveryIdIn = (data: ActivityDocument["data"]): string | undefined => {
  const properties = fieldOf(data, "properties")
  const deliveryId = fieldOf(properties, "delivery_id")
  return typeof deliveryId === "string" ? deliveryId : undefined
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
