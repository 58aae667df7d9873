import { Context, Effect, Layer } from "effect"
import type { IncomingMessage } from "node:http"
import { gunzipSync, inflateRawSync, inflateSync } from "node:zlib"
import { Deadlines } from "./Deadlines.ts"

/**
 * The reason why a body could not be read. If the reason is `TimedOut`, or if `close` is true, a part of the body is
 * unread, so the connection must be closed.
 */
export type BodyProblem =
  | { readonly _tag: "TooLarge"; readonly close: boolean }
  | { readonly _tag: "TimedOut" }
  | { readonly _tag: "Corrupt" }
  | { readonly _tag: "UnknownEncoding" }
  | { readonly _tag: "Aborted" }
  | { readonly _tag: "Busy" }

/** The time limit for a body to arrive after its headers (contract §4). */
export const bodyTimeoutMs = 30_000

/**
 * The largest number of bytes beyond the size limit that the server reads and discards. The server reads these bytes
 * because some clients read the 413 response only after they have sent their whole body.
 */
const discardedBytesMax = 8 * 1024 * 1024

/**
 * The largest amount of memory for the arriving bodies of all connections. A request beyond this limit gets a 503
 * response.
 */
const heldBytesMax = 128 * 1024 * 1024

/**
 * The memory that a chunk needs besides its bytes. Without it, bodies that arrive in chunks of one byte would hold
 * hundreds of times as much as `heldBytesMax`.
 */
const chunkOverheadBytes = 256

/** Tracks the deadlines and the memory of all request bodies that are arriving at a server. */
export class ArrivingBodies extends Context.Service<
  ArrivingBodies,
  {
    readonly deadlines: Deadlines
    /** Reserves memory for a body. Returns false if too much memory is in use. */
    reserve(bytes: number): boolean
    release(bytes: number): void
  }
>()("@inlethq/http/ingestion/Body/ArrivingBodies") {
  static readonly layer = Layer.sync(this, () => {
    let heldBytes = 0
    return {
      deadlines: new Deadlines(bodyTimeoutMs),
      reserve: (bytes) => {
        if (heldBytes + bytes > heldBytesMax) return false
        heldBytes += bytes
        return true
      },
      release: (bytes) => {
        heldBytes -= bytes
      },
    }
  })
}

/** The largest number of bytes that compression can add to data that does not compress. */
const compressionOverheadBytes = 1024

const empty: Uint8Array = new Uint8Array(0)

/**
 * Reads a body, and decompresses it if its `Content-Encoding` is gzip or deflate. `bytesMax` limits the decompressed
 * size. Decompression stops at this limit (contract §3, §5).
 */
export const readBody = (
  request: IncomingMessage,
  bytesMax: number,
): Effect.Effect<Uint8Array, BodyProblem, ArrivingBodies> => {
  const encoding = (request.headers["content-encoding"] ?? "").trim().toLowerCase()
  if (encoding === "" || encoding === "identity") return collect(request, bytesMax)
  const inflate = inflaters[encoding]
  if (inflate === undefined) return Effect.fail({ _tag: "UnknownEncoding" })
  return Effect.flatMap(collect(request, bytesMax + compressionOverheadBytes), (bytes) =>
    bytes.length === 0
      ? Effect.succeed(empty)
      : inflated(() => inflate(bytes, { maxOutputLength: bytesMax })),
  )
}

type Inflate = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array

/** The low four bits of a zlib stream's first byte are the compression method. The value 8 means deflate. */
const zlibMethod = 8

/**
 * In HTTP, `deflate` means a zlib stream, but some clients send raw deflate data. The low bits of the first byte tell
 * the two formats apart.
 */
const inflateDeflate: Inflate = (bytes, options) =>
  ((bytes[0] ?? 0) & 0x0f) === zlibMethod ? inflateSync(bytes, options) : inflateRawSync(bytes, options)

const inflaters: { readonly [encoding: string]: Inflate | undefined } = Object.assign(Object.create(null), {
  gzip: gunzipSync,
  "x-gzip": gunzipSync,
  deflate: inflateDeflate,
})

const inflated = (inflate: () => Uint8Array): Effect.Effect<Uint8Array, BodyProblem> =>
  Effect.try({
    try: inflate,
    catch: (cause): BodyProblem =>
      cause instanceof RangeError ? { _tag: "TooLarge", close: false } : { _tag: "Corrupt" },
  })

const collect = (
  request: IncomingMessage,
  bytesMax: number,
): Effect.Effect<Uint8Array, BodyProblem, ArrivingBodies> =>
  Number(request.headers["content-length"] ?? 0) > bytesMax + discardedBytesMax
    ? Effect.fail({ _tag: "TooLarge", close: true })
    : ArrivingBodies.use((arriving) => receive(request, bytesMax, arriving))

const receive = (
  request: IncomingMessage,
  bytesMax: number,
  arriving: ArrivingBodies["Service"],
): Effect.Effect<Uint8Array, BodyProblem> =>
  Effect.callback((resume) => {
    const chunks: Array<Buffer> = []
    let length = 0
    let held = 0
    let settled = false
    const settle = (result: Effect.Effect<Uint8Array, BodyProblem>) => {
      if (settled) return
      settled = true
      arriving.release(held)
      cancelDeadline()
      resume(result)
    }
    const cancelDeadline = arriving.deadlines.begin(() => settle(Effect.fail({ _tag: "TimedOut" })))
    request.on("data", (chunk: Buffer) => {
      length += chunk.length
      if (settled) return
      if (length > bytesMax + discardedBytesMax) return settle(Effect.fail({ _tag: "TooLarge", close: true }))
      if (length > bytesMax) {
        chunks.length = 0
        return
      }
      const bytes = chunk.length + chunkOverheadBytes
      if (!arriving.reserve(bytes)) return settle(Effect.fail({ _tag: "Busy" }))
      held += bytes
      chunks.push(chunk)
    })
    request.on("end", () =>
      settle(
        length > bytesMax ? Effect.fail({ _tag: "TooLarge", close: false }) : Effect.succeed(joined(chunks)),
      ),
    )
    request.on("close", () => settle(Effect.fail({ _tag: "Aborted" })))
  })

const joined = (chunks: ReadonlyArray<Buffer>): Uint8Array => {
  const [first] = chunks
  if (first === undefined) return empty
  return chunks.length === 1 ? first : Buffer.concat(chunks)
}
