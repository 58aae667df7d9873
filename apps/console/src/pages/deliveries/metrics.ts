import type { DeliveryDocument } from "@inlethq/contract/objects/Deliveries"

interface Metric {
  readonly name: string
  readonly firstAt: string
  readonly count: number
}

/** Returns the metrics that were reported for a delivery, in the order of their first reports. */
export const metricsOf = ({ metrics }: DeliveryDocument): ReadonlyArray<Metric> =>
  Object.entries(metrics)
    .map(([name, { count, first_at }]) => ({ name, count, firstAt: first_at }))
    .toSorted((a, b) => a.firstAt.localeCompare(b.firstAt))

/** Returns the name of the metric with the newest first report, or undefined if no metric was reported. */
export const lastMetric = (delivery: DeliveryDocument): string | undefined => metricsOf(delivery).at(-1)?.name
