import { watch } from "node:fs"
import { Schema } from "effect"
import { assert } from "vitest"
import { eventually } from "../eventually.ts"
import { send } from "../http.ts"
import { credentials, Inlet } from "../Inlet.ts"
import { base64 } from "../ingestion.ts"
import { Management, read } from "../Management.ts"

/** The events that `addEvents` adds. */
export const eventsPerFile = 25

const State = Schema.Struct({
  writing: Schema.Boolean,
  lag: Schema.Finite,
  files: Schema.Finite,
  rows: Schema.Finite,
  failure: Schema.NullOr(Schema.String),
})
const Verification = Schema.Struct({
  files: Schema.Finite,
  faults: Schema.Array(Schema.Unknown),
  next: Schema.NullOr(Schema.String),
})

/** The settings that were made so far, by any node. */
let settings = 0

/** A server whose workspace 1 writes a lake. */
export class LakeServer {
  readonly inlet: Inlet
  private readonly management: Management
  private readonly lake: object

  private constructor(inlet: Inlet, lake: object) {
    this.inlet = inlet
    this.management = new Management(inlet)
    this.lake = lake
  }

  static async start(options: Parameters<typeof Inlet.start>[0], lake: object): Promise<LakeServer> {
    return new LakeServer(await Inlet.start(options), lake)
  }

  /** Sets the lake. Other settings than before end its open file, and these differ from those before. */
  async set(): Promise<void> {
    const lake = { ...this.lake, erasure_days: 1 + (settings++ % 20) }
    const { status, text } = await this.management.call("PATCH", this.management.pathOf(""), { lake })
    if (status !== 200) throw new Error(text)
  }

  async addEvents(): Promise<void> {
    const batch = Array.from({ length: eventsPerFile }, (_, index) => ({
      type: "person",
      identifiers: { id: `p${index % 5}` },
      action: "event",
      name: "seen",
    }))
    const { status, text } = await send(this.inlet.url, {
      method: "POST",
      path: "/api/v2/batch",
      headers: { authorization: `Basic ${base64(`${credentials.siteId}:${credentials.apiKey}`)}` },
      body: JSON.stringify({ batch }),
    })
    if (status !== 200) throw new Error(text)
  }

  async state(): Promise<typeof State.Type> {
    const { json } = await this.management.call("GET", this.management.pathOf("/lake"))
    return read(State, json)
  }

  async written(): Promise<typeof State.Type> {
    return eventually("the lake has the whole log", async () => {
      const state = await this.state()
      return state.lag === 0 && state.rows > 0 ? state : undefined
    })
  }

  /** Returns what is wrong with the files. */
  async faults(): Promise<ReadonlyArray<unknown>> {
    const all: Array<unknown> = []
    let filesRead = 0
    for (let query = ""; ;) {
      const path = this.management.pathOf(`/lake/verify${query}`)
      const { json, status, text } = await this.management.call("POST", path)
      if (status !== 200) throw new Error(text)
      const { faults, files, next } = read(Verification, json)
      all.push(...faults)
      filesRead += files
      if (next === null) break
      query = `?after=${encodeURIComponent(next)}`
    }
    assert.isAbove(filesRead, 0)
    return all
  }

  async metric(name: string): Promise<number> {
    const { text } = await send(this.inlet.url, { method: "GET", path: "/metrics" })
    const line = text.split("\n").find((one) => one.startsWith(name) && !one.startsWith("#"))
    return Number(line?.split(" ").at(-1) ?? 0)
  }
}

/** Kills a server after some changes in a folder, or once all its work is done. */
export const killDuring = async (
  server: LakeServer,
  directory: string,
  changes: number,
  work: () => Promise<unknown>,
): Promise<void> => {
  let left = changes
  const watcher = watch(directory, { recursive: true }, () => {
    if (--left === 0) server.inlet.process.signal("SIGKILL").catch(() => undefined)
  })
  // The calls in progress fail when the server is killed.
  await work().catch(() => undefined)
  watcher.close()
  await server.inlet.kill()
}
