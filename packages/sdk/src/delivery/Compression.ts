import { nodeModule } from "./nodeModule.ts"

type Bytes = Uint8Array<ArrayBuffer>

/** The smallest body, in bytes, that is compressed. A smaller body fits into one network packet anyway. */
const compressedBytesMin = 1024

/** Compresses the bodies of requests with gzip, until a server refuses a compressed body. */
export class Compression {
  readonly #gzip: ((body: Bytes) => Promise<Bytes>) | undefined
  #isRefused = false

  /** A disabled compression leaves every body as it is. So does a runtime without gzip. */
  constructor(isEnabled: boolean) {
    this.#gzip = isEnabled ? (nodeGzip() ?? streamGzip()) : undefined
  }

  /** Returns the compressed body, or undefined if the body should be sent as it is. */
  async compress(body: Bytes): Promise<Bytes | undefined> {
    if (this.#isRefused || body.length < compressedBytesMin) return undefined
    return this.#gzip?.(body)
  }

  /** Leaves all further bodies as they are. */
  refuse(): void {
    this.#isRefused = true
  }
}

/** Node's own gzip uses half of the CPU time of a `CompressionStream` and runs on another thread. */
const nodeGzip = () => {
  const zlib = nodeModule("node:zlib")
  return (
    zlib &&
    ((body: Bytes) =>
      new Promise<Bytes>((resolve, reject) => {
        zlib.gzip(body, (error, compressed) => (error === null ? resolve(compressed) : reject(error)))
      }))
  )
}

const streamGzip = () =>
  typeof CompressionStream === "undefined"
    ? undefined
    : async (body: Bytes): Promise<Bytes> => {
        const compressed = new Blob([body]).stream().pipeThrough(new CompressionStream("gzip"))
        return new Uint8Array(await new Response(compressed).arrayBuffer())
      }
