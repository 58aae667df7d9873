import type { BaseOptions, ConnectionPool, Producer } from "@platformatic/kafka"
import { Context, Effect, Layer, RcRef, type Scope } from "effect"
import type { KafkaConnection } from "./KafkaConnection.ts"
import { innermostError, KafkaFailed } from "./kafkaError.ts"
import { guardConnections } from "./guardConnections.ts"
import { kafkaTexts } from "./kafkaTexts.ts"
import { saslOptions } from "./saslOptions.ts"

/** The longest time in seconds that brokers may take to store a batch. */
const answerSecondsMax = 20

/** The longest time that a broker may take to accept a connection. */
const connectMsMax = 3000

/** The longest time that a broker may take to answer a request. */
const requestMsMax = 10_000

/** The largest number of times that a failed request is repeated, for example while a partition gets a new leader. */
const retriesMax = 2
const retryDelayMs = 250

/** The time for which an unused producer keeps its connections. */
const idleTime = "1 minute"

/** The longest time that a client of the Kafka library may take to close. */
const closeTimeout = "2 seconds"

/** A topic that is created with this number of partitions or replicas gets the broker's default number. */
const brokerDefault = -1

/** The error code of the client library for a request about a topic that does not exist. */
const unknownTopicCode = "PLT_KFK_USER"

/** A message in the format of the Kafka client library. */
export interface KafkaMessage {
  readonly topic: string
  /** Messages with the same key keep their order. */
  readonly key?: string
  readonly value: string
  readonly headers: Record<string, string>
}

type TextProducer = Producer<string, string, string, string>

/** Sends messages to Kafka. The client library is loaded when it is first used. */
export class KafkaSender extends Context.Service<
  KafkaSender,
  {
    /** Creates a topic with the defaults of the brokers if it does not exist. */
    prepare(topic: string): Effect.Effect<void, KafkaFailed>
    /**
     * Sends messages to one topic. Succeeds after all in-sync replicas have stored the messages. After a failure, Kafka
     * may have stored some of the messages.
     */
    send(topic: string, messages: ReadonlyArray<KafkaMessage>): Effect.Effect<void, KafkaFailed>
  }
>()("@inlethq/kafka/KafkaSender") {
  static readonly layerWith = (connection: KafkaConnection): Layer.Layer<KafkaSender> =>
    Layer.effect(this, makeSender(connection))
}

const makeSender = Effect.fnUntraced(function* (connection: KafkaConnection) {
  const shared = yield* RcRef.make({ acquire: openProducer(connection), idleTimeToLive: idleTime })

  const send = (topic: string, messages: ReadonlyArray<KafkaMessage>) =>
    Effect.flatMap(RcRef.get(shared), (producer) =>
      called(
        () => producer.send({ messages: [...messages] }),
        (reason) => kafkaTexts.notSent({ topic, reason }),
      ),
    ).pipe(
      answered,
      // An idempotent producer numbers its messages. After a failure the numbers may be wrong, so a new producer
      // replaces it. Other batches in progress still use the old producer.
      Effect.tapError(() => RcRef.invalidate(shared)),
    )

  const isMissing = (topic: string) =>
    Effect.flatMap(RcRef.get(shared), (producer) =>
      called(
        () => producer.metadata({ topics: [topic], forceUpdate: true, retries: 0 }),
        (reason) => kafkaTexts.notSent({ topic, reason }),
      ),
    ).pipe(
      answered,
      Effect.as(false),
      Effect.catchIf(
        ({ code }) => code === unknownTopicCode,
        () => Effect.succeed(true),
      ),
    )

  return KafkaSender.of({
    send,
    prepare: (topic) =>
      Effect.flatMap(isMissing(topic), (missing) => (missing ? createTopic(connection, topic) : Effect.void)),
  })
})

const createTopic = (connection: KafkaConnection, topic: string): Effect.Effect<void, KafkaFailed> => {
  const topics = [{ topic, partitions: brokerDefault, replicas: brokerDefault }]
  return Effect.flatMap(
    opened(connection, async () => {
      const { Admin } = await import("@platformatic/kafka")
      return new Admin(await clientOptions(connection))
    }),
    (admin) =>
      called(
        () => admin.createTopics({ topics }),
        (reason) => kafkaTexts.noTopic({ topic, reason }),
      ),
  ).pipe(
    answered,
    Effect.catchIf(
      ({ code }) => code === "TOPIC_ALREADY_EXISTS",
      () => Effect.void,
    ),
  )
}

const clientOptions = async ({ brokers, sasl, tls }: KafkaConnection): Promise<BaseOptions> => ({
  clientId: "inlet",
  bootstrapBrokers: [...brokers],
  connectTimeout: connectMsMax,
  timeout: requestMsMax,
  retries: retriesMax,
  retryDelay: retryDelayMs,
  ...(tls !== null && {
    tls: tls.authorities === null ? {} : { ca: tls.authorities },
    // Sends the host name to the broker, because brokers behind a shared address need it to choose the certificate.
    tlsServerName: true,
  }),
  ...(sasl !== null && { sasl: await saslOptions(sasl) }),
})

const openProducer = (connection: KafkaConnection): Effect.Effect<TextProducer, never, Scope.Scope> =>
  opened(connection, async () => {
    const { Producer, stringSerializers } = await import("@platformatic/kafka")
    return new Producer({
      ...(await clientOptions(connection)),
      idempotent: true,
      serializers: stringSerializers,
    })
  })

/** Opens a client of the Kafka library, and closes the client when the scope closes. */
const opened = <Client extends { readonly connections: ConnectionPool; close(): Promise<void> }>(
  { tls }: KafkaConnection,
  open: () => Promise<Client>,
) =>
  Effect.acquireRelease(
    Effect.promise(open).pipe(
      Effect.tap(({ connections }) =>
        Effect.sync(() => guardConnections(connections, tls === null ? "connect" : "secureConnect")),
      ),
    ),
    (client) => Effect.tryPromise(() => client.close()).pipe(Effect.timeout(closeTimeout), Effect.ignore),
  )

/** Calls a function of the Kafka library. If the call fails, `text` turns the reason into the error message. */
const called = <A>(
  call: () => Promise<A>,
  text: (reason: string) => string,
): Effect.Effect<void, KafkaFailed> =>
  Effect.asVoid(
    Effect.tryPromise({
      try: call,
      catch: (cause) => {
        const { code, reason } = innermostError(cause)
        return new KafkaFailed({ message: text(reason), code })
      },
    }),
  )

/**
 * Runs a call of the Kafka library in a scope of its own. Fails if the call takes longer than `answerSecondsMax`.
 */
const answered = (call: Effect.Effect<void, KafkaFailed, Scope.Scope>): Effect.Effect<void, KafkaFailed> =>
  Effect.timeoutOrElse(Effect.scoped(call), {
    duration: answerSecondsMax * 1000,
    orElse: () =>
      Effect.fail(
        new KafkaFailed({ message: kafkaTexts.noAnswer({ seconds: answerSecondsMax }), code: null }),
      ),
  })
