import { Consumer, stringDeserializers } from "@platformatic/kafka"

/** A message as a consumer receives it. */
export interface ReceivedMessage {
  readonly key: string
  readonly value: string
  readonly operationId: string
  readonly environmentId: string
  readonly partition: number
}

/** Calls `seen` with each message that a topic has now. The messages of a partition are passed in their order. */
export const readTopic = async (
  broker: string,
  topic: string,
  seen: (message: ReceivedMessage) => void,
): Promise<void> => {
  const consumer = new Consumer({
    clientId: "test",
    groupId: `test-${process.hrtime.bigint()}`,
    bootstrapBrokers: [broker],
    deserializers: stringDeserializers,
  })
  try {
    const ends = (await consumer.listOffsets({ topics: [topic] })).get(topic) ?? []
    let left = ends.reduce((sum, end) => sum + Number(end), 0)
    if (left === 0) return
    const stream = await consumer.consume({ topics: [topic], mode: "earliest", autocommit: false })
    for await (const { headers, key, partition, value } of stream) {
      seen({
        key,
        value,
        partition,
        operationId: headers.get("inlet-operation-id") ?? "",
        environmentId: headers.get("inlet-environment-id") ?? "",
      })
      left--
      if (left === 0) return
    }
  } finally {
    await consumer.close(true)
  }
}
