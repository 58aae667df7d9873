import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, type Scope } from "effect"
import { createServer, type AddressInfo, type Socket } from "node:net"
import type { KafkaConnection, SaslMechanism } from "../src/KafkaConnection.ts"
import { KafkaSender } from "../src/KafkaSender.ts"

/** A request of the Kafka client, with the header fields that every request has. */
interface BrokerRequest {
  readonly api: number
  readonly correlation: number
  /** The whole request, one character for each byte. */
  readonly text: string
}

const apiVersions = 18
const saslHandshake = 17
const saslAuthenticate = 36

/** Splits the bytes of a connection into requests, and calls `answer` for each of them. */
const onRequests = (socket: Socket, answer: (request: BrokerRequest) => void): void => {
  let received = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 12 && received.length >= 4 + received.readInt32BE(0)) {
      const request = received.subarray(4, 4 + received.readInt32BE(0))
      received = received.subarray(4 + request.length)
      answer({
        api: request.readInt16BE(0),
        correlation: request.readInt32BE(4),
        text: request.toString("latin1"),
      })
    }
  })
}

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const string = (text: string): Buffer => Buffer.concat([int16(text.length), Buffer.from(text)])

/** Returns an answer with its length in front, as it stands on the wire. */
const framed = (
  { correlation }: Pick<BrokerRequest, "correlation">,
  ...parts: ReadonlyArray<Buffer>
): Buffer => {
  const body = Buffer.concat([int32(correlation), ...parts])
  return Buffer.concat([int32(body.length), body])
}

/** Answers as a broker that knows `SaslAuthenticate` up to version 1, whose answers have no tagged fields. */
const versions = (request: BrokerRequest): Buffer =>
  framed(request, int16(0), int32(1), int16(saslAuthenticate), int16(0), int16(1), int32(0))

const mechanisms = (request: BrokerRequest): Buffer =>
  framed(request, int16(0), int32(2), string("PLAIN"), string("SCRAM-SHA-256"))

/** An answer to `SaslAuthenticate`, version 1, with these bytes for the mechanism. */
const authenticated = (request: BrokerRequest, bytes: string): Buffer =>
  framed(request, int16(0), int16(-1), int32(bytes.length), Buffer.from(bytes), int32(0), int32(0))

const ignoreError = (): void => undefined

/**
 * Starts a broker on a free port of the loopback address, and closes its connections when the scope closes. `play`
 * answers the requests of one connection.
 */
const brokerThat = (play: (socket: Socket, request: BrokerRequest) => void) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly open: Set<Socket>; close(): void }>((resume) => {
      const open = new Set<Socket>()
      const server = createServer((socket) => {
        open.add(socket)
        socket.on("error", ignoreError)
        socket.on("close", () => open.delete(socket))
        onRequests(socket, (request) => play(socket, request))
      })
      server.listen(0, "127.0.0.1", () => {
        const close = () => {
          server.close()
          for (const socket of open) socket.destroy()
        }
        resume(Effect.succeed({ port: (server.address() as AddressInfo).port, open, close }))
      })
    }),
    (broker) => Effect.sync(() => broker.close()),
  )

/** Collects the errors that would have ended the process. */
const uncaughtErrors: Effect.Effect<ReadonlyArray<unknown>, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const errors: Array<unknown> = []
    const collect = (error: unknown): void => void errors.push(error)
    process.on("uncaughtException", collect)
    process.on("unhandledRejection", collect)
    return { errors, collect }
  }),
  ({ collect }) =>
    Effect.sync(() => {
      process.off("uncaughtException", collect)
      process.off("unhandledRejection", collect)
    }),
).pipe(Effect.map(({ errors }) => errors))

const connectionTo = (port: number, mechanism: SaslMechanism | null): KafkaConnection => ({
  brokers: [{ host: "127.0.0.1", port }],
  tls: null,
  sasl: mechanism === null ? null : { mechanism, username: "inlet", password: Redacted.make("secret") },
})

/** Sends one message to a broker, and returns the reason why this failed. */
const failureOf = Effect.fnUntraced(function* (
  mechanism: SaslMechanism | null,
  play: (socket: Socket, request: BrokerRequest) => void,
) {
  const errors = yield* uncaughtErrors
  const { port } = yield* brokerThat(play)
  const { message } = yield* KafkaSender.use((sender) =>
    sender.send("topic", [{ topic: "topic", value: "{}", headers: {} }]),
  ).pipe(Effect.provide(KafkaSender.layerWith(connectionTo(port, mechanism))), Effect.flip)
  assert.deepStrictEqual(errors, [])
  return message
}, Effect.scoped)

const refused = /^cannot send to the Kafka topic topic: /

describe("a Kafka broker that breaks the protocol", () => {
  it.live("a broker that resets connections during sign-in does not end the server", () =>
    Effect.forEach(
      [
        [apiVersions, "plain"],
        [saslHandshake, "plain"],
        [saslAuthenticate, "plain"],
        [saslAuthenticate, "scram-sha-256"],
      ] as const,
      Effect.fnUntraced(function* ([resetAt, mechanism]) {
        const message = yield* failureOf(mechanism, (socket, request) => {
          if (request.api === resetAt) socket.resetAndDestroy()
          else socket.write(request.api === apiVersions ? versions(request) : mechanisms(request))
        })
        assert.match(message, refused)
      }),
      { concurrency: "unbounded" },
    ),
  )

  it.live("a broker with malformed messages of SCRAM does not end the server", () =>
    Effect.forEach(
      ["", "r", "r=other", "r=x,s=,i=1"],
      Effect.fnUntraced(function* (bytes) {
        const message = yield* failureOf("scram-sha-256", (socket, request) => {
          if (request.api === apiVersions) socket.write(versions(request))
          else if (request.api === saslHandshake) socket.write(mechanisms(request))
          else socket.write(authenticated(request, bytes))
        })
        assert.match(message, refused)
      }),
      { concurrency: "unbounded" },
    ),
  )

  it.live("a broker gets no answer to SCRAM if it asks for more than 100,000 iterations", () =>
    Effect.gen(function* () {
      let proofs = 0
      const asking = (iterations: number) =>
        failureOf("scram-sha-512", (socket, request) => {
          if (request.api === apiVersions) return void socket.write(versions(request))
          if (request.api === saslHandshake) return void socket.write(mechanisms(request))
          const nonce = /,r=([\w-]+)/.exec(request.text)?.[1] ?? ""
          if (request.text.includes(",p=")) {
            proofs++
            return void socket.destroy()
          }
          socket.write(authenticated(request, `r=${nonce}more,s=c2FsdA==,i=${iterations}`))
        })
      yield* asking(100_000)
      assert.isAbove(proofs, 0)
      proofs = 0
      assert.strictEqual(
        yield* asking(100_001),
        "cannot send to the Kafka topic topic: the broker asks for 100001 iterations of SCRAM, more than 100000",
      )
      assert.strictEqual(proofs, 0)
    }),
  )

  it.live("an answer that nothing asked for does not end the server", () =>
    Effect.gen(function* () {
      const message = yield* failureOf("plain", (socket) => {
        socket.write(framed({ correlation: 12_345 }, Buffer.alloc(8)))
      })
      assert.match(message, refused)
    }),
  )

  it.live("an answer of two gigabytes is refused when its length arrives", () =>
    Effect.gen(function* () {
      const message = yield* failureOf("plain", (socket) => socket.write(int32(0x7f_ff_ff_ff)))
      assert.include(message, "the answer of the broker has 2147483647 bytes, more than 8388608")
      // Without sign-in, the client only reports that the connection was closed.
      const unsigned = yield* failureOf(null, (socket) => socket.write(int32(0x7f_ff_ff_ff)))
      assert.strictEqual(unsigned, "cannot send to the Kafka topic topic: Connection closed")
    }),
  )

  it.live("a broker that answers with a TLS record is said to require TLS", () =>
    Effect.gen(function* () {
      const message = yield* failureOf("plain", (socket) =>
        socket.write(Buffer.from("15030300020100", "hex")),
      )
      assert.strictEqual(message, "cannot send to the Kafka topic topic: the broker requires TLS")
    }),
  )

  it.live("the length of an answer is read across packets", () =>
    Effect.gen(function* () {
      const message = yield* failureOf("plain", (socket, request) => {
        const answer = Buffer.concat([versions(request), int32(0x7f_ff_ff_ff)])
        socket.setNoDelay(true)
        socket.write(answer.subarray(0, 2))
        setImmediate(() => {
          socket.write(answer.subarray(2, 7))
          setImmediate(() => socket.write(answer.subarray(7)))
        })
      })
      assert.include(message, "2147483647 bytes")
    }),
  )

  it.live("an answer without a correlation id is refused", () =>
    Effect.forEach(
      [-1, 0, 3],
      Effect.fnUntraced(function* (length) {
        const message = yield* failureOf("plain", (socket) => {
          socket.write(Buffer.concat([int32(length), Buffer.alloc(64)]))
        })
        assert.include(message, `the answer of the broker has ${length} bytes, fewer than 4`)
      }),
      { concurrency: "unbounded" },
    ),
  )
})
