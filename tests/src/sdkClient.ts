import { Inlet, type AnyEvents, type InletOptions } from "@inlethq/sdk"
import { Schema } from "effect"
import { onTestFinished } from "vitest"
import { FaultyProxy, type Fault } from "./FaultyProxy.ts"
import { PipelinesSource } from "./PipelinesSource.ts"

/** A client, the workspace that it sends to, and the proxy between them. The workspace has the person ada. */
interface ConnectedClient {
  readonly inlet: Inlet
  readonly source: PipelinesSource
  readonly proxy: FaultyProxy
  readonly warnings: ReadonlyArray<string>
}

/** Returns a client that sends its requests through a proxy with these faults. */
export const startClient = async (
  options: InletOptions<AnyEvents> = {},
  ...faults: ReadonlyArray<Fault>
): Promise<ConnectedClient> => {
  const source = await sourceWithAda()
  const proxy = await FaultyProxy.start(source.inlet, ...faults)
  const warnings: Array<string> = []
  const inlet = new Inlet({
    url: proxy.url,
    writeKey: source.writeKey,
    onWarning: (warning) => warnings.push(warning),
    ...options,
  })
  onTestFinished(() => inlet.close())
  return { inlet, source, proxy, warnings }
}

/** Creates a workspace with the person ada. Returns a client with a write key of the workspace. */
export const sourceWithAda = async (): Promise<PipelinesSource> => {
  const source = await PipelinesSource.create()
  await source.post("identify", { userId: "ada" })
  return source
}

/** Returns the log entries of the client's calls, oldest first. Leaves out the first entry, which creates ada. */
export const logOf = async (source: PipelinesSource) => (await source.log()).slice(1)

/** Returns the number of stored events with this name. */
export const countEvents = async (source: PipelinesSource, name: string): Promise<number> =>
  (await source.activity({ name, outcome: "applied" })).length

/** Returns the number of calls in each request that reached the proxy. */
export const batchLengths = ({ requests }: FaultyProxy): ReadonlyArray<number> =>
  requests.map(({ body }) => Schema.decodeUnknownSync(BatchBody)(body).batch.length)

const BatchBody = Schema.fromJsonString(Schema.Struct({ batch: Schema.Array(Schema.Unknown) }))

export const unavailable: Fault = { _tag: "Answer", status: 503, headers: { "retry-after": "0" } }
