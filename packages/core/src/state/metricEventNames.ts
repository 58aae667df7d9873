import { Channel, DeliveryMetric } from "./Delivery.ts"

const channelNames: Readonly<Record<Channel, string>> = {
  email: "Email",
  push: "Push",
  sms: "SMS",
  in_app: "In-App",
  webhook: "Webhook",
  slack: "Slack",
  whatsapp: "WhatsApp",
}

const metricNames: Readonly<Record<DeliveryMetric, string>> = {
  bounced: "Bounced",
  clicked: "Link Clicked",
  converted: "Converted",
  deferred: "Deferred",
  delivered: "Delivered",
  dropped: "Dropped",
  opened: "Opened",
  spammed: "Marked as Spam",
}

/**
 * Returns the name of a metric event from its channel and metric. Without a channel, the name begins with "Message"
 * (contract §11).
 */
export const metricEventName = (channel: Channel | null, metric: DeliveryMetric): string =>
  `${channel === null ? "Message" : channelNames[channel]} ${metricNames[metric]}`

const reports: ReadonlyMap<string, { readonly channel: Channel | null; readonly metric: DeliveryMetric }> =
  new Map(
    [null, ...Channel.literals].flatMap((channel) =>
      DeliveryMetric.literals.map(
        (metric) => [metricEventName(channel, metric), { channel, metric }] as const,
      ),
    ),
  )

/** Returns the channel and the metric in the name of a metric event, or undefined for any other name. */
export const reportNamed = (
  name: string,
): { readonly channel: Channel | null; readonly metric: DeliveryMetric } | undefined => reports.get(name)
