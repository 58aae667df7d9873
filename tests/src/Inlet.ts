import { join } from "node:path"
import { waitMsMax } from "../../tools/testing/patience.ts"
import { eventually } from "./eventually.ts"
import { send } from "./http.ts"
import { freshDirectory } from "./cleanup.ts"
import { launch, Launched, type Exit } from "./Launched.ts"

/**
 * The credentials of workspace 1. In base64, the keys contain characters that differ between the standard and the
 * URL-safe alphabet.
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

/**
 * Returns the environment variables of a server with the credentials of workspace 1, this data directory, and any free
 * port.
 */
export const variablesFor = (dataDir: string): Readonly<Record<string, string>> => ({
  INLET_PORT: "0",
  INLET_DATA_DIR: dataDir,
  ...credentialVariables,
})

/** Returns the variables with a PostgreSQL database that the server waits for as long as tests wait for a state. */
const withPatience = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const { INLET_STORE: url } = env
  if (url?.startsWith("postgres") !== true || url.includes("start_timeout=")) return env
  return { ...env, INLET_STORE: `${url}${url.includes("?") ? "&" : "?"}start_timeout=${waitMsMax / 1000}` }
}

/** A running server that has become ready. */
export class Inlet {
  readonly process: Launched
  readonly url: string
  readonly dataDir: string

  private constructor(process: Launched, url: string, dataDir: string) {
    this.process = process
    this.url = url
    this.dataDir = dataDir
  }

  /** Starts a server and waits until it is ready. If no data directory is given, the server gets a new directory. */
  static async start(options: { readonly dataDir?: string; readonly env?: Record<string, string> } = {}) {
    const dataDir = options.dataDir ?? join(freshDirectory(), "data")
    const process = launch({ ...variablesFor(dataDir), ...withPatience(options.env ?? {}) })
    return Inlet.fromProcess(process, dataDir)
  }

  /** Waits until a server process is ready. Kills the process and throws if it does not become ready. */
  static async fromProcess(process: Launched, dataDir: string): Promise<Inlet> {
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
    await eventually("the server is ready", async () => ((await this.readiness()) === 200 ? true : undefined))
  }

  /** Returns the HTTP status of the readiness check. */
  async readiness(): Promise<number> {
    return (await send(this.url, { method: "GET", path: "/health/ready" })).status
  }

  /** Stops the server gracefully. */
  stop(): Promise<Exit> {
    return this.process.signal("SIGTERM")
  }

  /** Kills the server with SIGKILL, as a crash would. */
  kill(): Promise<Exit> {
    return this.process.signal("SIGKILL")
  }
}
