import { join } from "node:path"
import { eventually } from "./eventually.ts"
import { send } from "./http.ts"
import { freshDirectory } from "./leftovers.ts"
import { launch, Launched, type Exit } from "./Launched.ts"

/**
 * Credentials of workspace 1. The API key holds the characters whose base64 differs between the two alphabets.
 */
export const credentials = {
  siteId: "site4e0d1f6b8a2c93",
  apiKey: "key???~~~5c1b7e9a0d3f42",
  writeKey: "write???~~~8d2f6a4c0b9e17",
  token: "token7a3e9c5d1f0b8264e6",
}

const credentialVariables = {
  INLET_SITE_ID: credentials.siteId,
  INLET_API_KEY: credentials.apiKey,
  INLET_WRITE_KEY: credentials.writeKey,
  INLET_MANAGEMENT_TOKEN: credentials.token,
}

export const variablesFor = (dataDir: string): Readonly<Record<string, string>> => ({
  INLET_PORT: "0",
  INLET_DATA_DIR: dataDir,
  ...credentialVariables,
})

/** A server that is ready. */
export class Inlet {
  readonly process: Launched
  readonly url: string
  readonly dataDir: string

  private constructor(process: Launched, url: string, dataDir: string) {
    this.process = process
    this.url = url
    this.dataDir = dataDir
  }

  static async start(options: { readonly dataDir?: string; readonly env?: Record<string, string> } = {}) {
    const dataDir = options.dataDir ?? join(freshDirectory(), "data")
    const process = launch({ ...variablesFor(dataDir), ...options.env })
    return Inlet.over(process, dataDir)
  }

  /** Waits until a process serves, and ends it if it does not. */
  static async over(process: Launched, dataDir: string): Promise<Inlet> {
    try {
      const inlet = new Inlet(process, await process.listening(), dataDir)
      await inlet.ready()
      return inlet
    } catch (cause) {
      await process.signal("SIGKILL")
      throw cause
    }
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async ready(): Promise<void> {
    await eventually("ready", async () => ((await this.readiness()) === 200 ? true : undefined))
  }

  async readiness(): Promise<number> {
    return (await send(this.url, { method: "GET", path: "/health/ready" })).status
  }

  stop(): Promise<Exit> {
    return this.process.signal("SIGTERM")
  }

  kill(): Promise<Exit> {
    return this.process.signal("SIGKILL")
  }
}
