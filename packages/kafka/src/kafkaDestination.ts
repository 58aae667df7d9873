import type { ActivityRecord } from "@inlethq/core/catalog/ActivityView"
import { Turns } from "@inlethq/engine/reads/ReadTurns"
import type { Slices } from "@inlethq/core/Slices"
import { KafkaTopic } from "@inlethq/contract/webhooks/KafkaTopic"
import { Effect, Schema } from "effect"
import { DestinationFailed } from "@inlethq/outbound/follower/Destination"
import { workspaceDestination, type SendEntries } from "@inlethq/outbound/follower/workspaceDestination"
import { kafkaMessage } from "./kafkaMessage.ts"
import { countFailure, countSent } from "./kafkaMetrics.ts"
import { KafkaSender, type KafkaMessage } from "./KafkaSender.ts"

/**
 * The largest number of bytes of one request to a broker. Brokers accept 1 MiB by default. A larger message is sent
 * alone.
 */
const requestBytesMax = 512 * 1024

/** The most pages of the log in one batch: 400 entries or 256 KiB, unless a single entry is larger. */
const pagesMax = 4

/** The number of messages that are encoded before other work may use the thread. */
const messagesPerSlice = 20

/** Makes a function that sends entries to a topic. Creates the topic before the first entry if it is missing. */
const sendTo = (topic: string): SendEntries<KafkaSender> => {
  let isPrepared = false
  const send = Effect.fnUntraced(function* (messages: ReadonlyArray<KafkaMessage>) {
    const sender = yield* KafkaSender
    if (!isPrepared) yield* sender.prepare(topic)
    isPrepared = true
    for (const request of requestsOf(messages)) yield* sender.send(topic, request)
    yield* countSent(messages.length)
  })
  return Effect.fnUntraced(function* (records) {
    const turns = yield* Turns
    const messages = yield* turns.work(() => messagesOf(topic, records))
    yield* send(messages).pipe(
      Effect.catchTag("KafkaFailed", ({ message }) => {
        isPrepared = false
        return Effect.andThen(countFailure, new DestinationFailed({ message }))
      }),
    )
  })
}

/** Copies activity logs to Kafka, for the workspaces with a topic in their settings. */
export const kafkaDestination = workspaceDestination({
  name: "kafka",
  title: "the copy of a workspace to Kafka",
  settings: Schema.Struct({ topic: KafkaTopic }),
  settingsOf: ({ kafka }) => kafka,
  pagesMax,
  open: ({ topic }) => sendTo(topic),
})

function* messagesOf(
  topic: string,
  records: ReadonlyArray<ActivityRecord>,
): Slices<ReadonlyArray<KafkaMessage>> {
  const messages: Array<KafkaMessage> = []
  for (const record of records) {
    messages.push(kafkaMessage(topic, record))
    if (messages.length % messagesPerSlice === 0) yield
  }
  return messages
}

/** Splits messages into requests that are small enough for a broker. */
const requestsOf = (messages: ReadonlyArray<KafkaMessage>): ReadonlyArray<ReadonlyArray<KafkaMessage>> => {
  const requests: Array<Array<KafkaMessage>> = []
  let bytes = Number.POSITIVE_INFINITY
  for (const message of messages) {
    const size = Buffer.byteLength(message.value)
    bytes += size
    if (bytes <= requestBytesMax) {
      requests.at(-1)?.push(message)
      continue
    }
    requests.push([message])
    bytes = size
  }
  return requests
}
