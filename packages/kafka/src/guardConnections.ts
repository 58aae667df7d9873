import type { ConnectionPool } from "@platformatic/kafka"
import type { Socket } from "node:net"
import { kafkaTexts } from "./kafkaTexts.ts"

/**
 * The largest answer of a broker, in bytes. Answers to what the sender asks grow with the partitions of one topic, and
 * this is enough for tens of thousands of them.
 */
const answerBytesMax = 8 * 1024 * 1024

/** The bytes of the length that stands before each answer, and of the correlation id with which each answer begins. */
const lengthBytes = 4
const correlationIdBytes = 4

/**
 * Keeps brokers from ending the process or filling its memory. The Kafka client emits `error` more than once for a
 * broken connection, but listens only to the first. It also lets errors of its parsers escape, and believes any length
 * that a broker announces. `readyEvent` is the event after which a socket carries answers.
 */
export const guardConnections = (
  connections: ConnectionPool,
  readyEvent: "connect" | "secureConnect",
): void => {
  connections.on("connecting", ({ connection }) => {
    // The client opens no connection again after an error, and forgets it without closing its socket.
    connection.on("error", () => connection.socket?.destroy())
    // The socket is made directly after this event, and cannot receive anything before this function runs.
    queueMicrotask(() => connection.socket?.once(readyEvent, () => guardAnswers(connection.socket)))
  })
}

/** Passes answers to the client's listener only if their lengths are allowed. Turns its errors into a closed socket. */
const guardAnswers = (socket: Socket): void => {
  const readers = socket.listeners("data")
  const lengths = new AnswerLengths()
  socket.removeAllListeners("data")
  socket.on("data", (chunk: Buffer) => {
    if (socket.destroyed) return
    const refusal = lengths.refusalOf(chunk)
    if (refusal !== null) return void socket.destroy(new Error(refusal))
    try {
      for (const read of readers) Reflect.apply(read, socket, [chunk])
    } catch (error) {
      socket.destroy(error instanceof Error ? error : new Error(String(error)))
    }
  })
}

/** The first two bytes of the TLS records, an alert and a handshake, with which a broker answers without TLS. */
const tlsRecords = [0x15_03, 0x16_03]

/** Follows the lengths of the answers in a stream of bytes. */
class AnswerLengths {
  /** The bytes of the current answer that have not arrived yet. */
  private rest = 0
  /** The length of the next answer, as far as it has arrived. */
  private length = 0
  private lengthBytesSeen = 0

  /** Reads the next bytes. Returns why an answer that begins in them must not be read, or null. */
  refusalOf(chunk: Buffer): string | null {
    let at = 0
    while (at < chunk.length) {
      const inAnswer = Math.min(this.rest, chunk.length - at)
      this.rest -= inAnswer
      at += inAnswer
      if (at === chunk.length) break
      this.length = (this.length << 8) | (chunk[at++] ?? 0)
      if (++this.lengthBytesSeen < lengthBytes) continue
      const bytes = this.length
      if (bytes < correlationIdBytes) return kafkaTexts.shortAnswer({ bytes, min: correlationIdBytes })
      if (tlsRecords.includes(bytes >>> 16)) return kafkaTexts.tlsRequired()
      if (bytes > answerBytesMax) return kafkaTexts.longAnswer({ bytes, max: answerBytesMax })
      this.rest = bytes
      this.length = 0
      this.lengthBytesSeen = 0
    }
    return null
  }
}
