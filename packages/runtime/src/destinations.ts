import { Effect, Layer } from "effect"
import { hostsReceivingPassword, type KafkaConnection } from "@inlethq/kafka/KafkaConnection"
import * as AlertWatch from "@inlethq/outbound/alerts/alertWatch"
import * as KafkaFeeds from "@inlethq/outbound/KafkaFeeds"
import * as LakeFeeds from "@inlethq/outbound/lake/LakeFeeds"
import { LakeThread } from "@inlethq/lake/thread/LakeThread"
import * as Settings from "./Settings.ts"
import { ConnectionPools } from "@inlethq/outbound/sending/ConnectionPools"
import { RecordWriter } from "@inlethq/outbound/sending/RecordWriter"
import { SecretBox } from "@inlethq/outbound/SecretBox"
import { Sender } from "@inlethq/outbound/sending/Sender"
import { Forwards } from "@inlethq/outbound/forwards/Forwards"
import { Webhooks } from "@inlethq/outbound/webhooks/Webhooks"
import { SummaryThread } from "@inlethq/outbound/types/SummaryThread"
import * as TypesFeeds from "@inlethq/outbound/types/TypesFeeds"

const sender = Layer.unwrap(
  Effect.map(Settings.Settings, ({ webhookAllow }) => Sender.layerWith({ allowed: webhookAllow })),
)

/** Sends to webhooks and forwards. */
const receivers = Layer.merge(Webhooks.layer, Forwards.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(sender, SecretBox.layer)),
  Layer.provide([RecordWriter.layer, ConnectionPools.layer]),
)

const warnOfPassword = (connection: KafkaConnection): Effect.Effect<void> => {
  const hosts = hostsReceivingPassword(connection)
  if (hosts.length === 0) return Effect.void
  return Effect.logWarning(
    `INLET_KAFKA_SASL=plain sends the password unencrypted to ${hosts.join(", ")}. Set INLET_KAFKA_TLS, or use scram-sha-512.`,
  )
}

const copiesTo = (connection: KafkaConnection) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("@inlethq/kafka/kafkaFeeds")),
      ({ layerWith }) => layerWith(connection),
    ),
  )

/** Writes the lakes of workspaces. */
const lake = LakeFeeds.layer.pipe(Layer.provideMerge(LakeThread.layer), Layer.provide(SecretBox.layer))

/** Begins and ends the alerts of workspaces, beside what it looks at. */
export const alerts = AlertWatch.layer.pipe(Layer.provideMerge(Layer.merge(receivers, lake)))

/** Summarizes the logs of workspaces. */
export const types = TypesFeeds.layer.pipe(Layer.provide(SummaryThread.layer))

/** Copies activity logs to Kafka, if the settings name brokers. What does it is loaded only then. */
export const kafka = Layer.unwrap(
  Effect.map(Settings.Settings, ({ kafka: connection }) =>
    connection === null
      ? KafkaFeeds.layerOff
      : Layer.merge(copiesTo(connection), Layer.effectDiscard(warnOfPassword(connection))),
  ),
)
