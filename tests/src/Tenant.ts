import { inject } from "vitest"
import type { Answer, RunningServer } from "./http.ts"
import { base64, customerPath, track, type Headers, type Payload } from "./ingestion.ts"
import { Management, read, TrackKey } from "./Management.ts"

/** The server that is started once for all test files. */
export const sharedServer: RunningServer = { url: inject("serverUrl") }

/** A workspace with a Track key. No other test file writes to this workspace. */
export class Tenant extends Management {
  readonly siteId: string
  readonly apiKey: string

  private constructor(served: RunningServer, workspace: number, siteId: string, apiKey: string) {
    super(served, workspace)
    this.siteId = siteId
    this.apiKey = apiKey
  }

  /** Creates a workspace with these settings, and a Track key for the workspace. */
  static async create(settings: object = {}, served: RunningServer = sharedServer): Promise<Tenant> {
    const management = new Management(served, await new Management(served).createWorkspace(settings))
    const made = await management.call("POST", management.pathOf("/keys"), { kind: "track", name: "test" })
    const key = read(TrackKey, made.json)
    return new Tenant(served, management.workspace, key.site_id, key.api_key)
  }

  /** Returns the same workspace on another server, which has its data. */
  on(served: RunningServer): Tenant {
    return new Tenant(served, this.workspace, this.siteId, this.apiKey)
  }

  /** The Authorization header of this workspace's Track key. */
  get authorization(): Headers {
    return { authorization: `Basic ${base64(`${this.siteId}:${this.apiKey}`)}` }
  }

  /** Changes settings of the workspace. */
  async updateSettings(settings: object): Promise<void> {
    const answer = await this.call("PATCH", this.pathOf(""), settings)
    if (answer.status !== 200) throw new Error(`cannot change the settings: ${answer.status} ${answer.text}`)
  }

  track(method: string, path: string, payload?: Payload, headers: Headers = {}): Promise<Answer> {
    return track(this.inlet, method, path, payload, { ...this.authorization, ...headers })
  }

  identify(identifier: string, attributes: object = {}): Promise<Answer> {
    return this.track("PUT", customerPath(identifier), attributes)
  }

  recordEvent(identifier: string, payload: Payload): Promise<Answer> {
    return this.track("POST", `${customerPath(identifier)}/events`, payload)
  }

  entity(payload: Payload): Promise<Answer> {
    return this.track("POST", "/api/v2/entity", payload)
  }

  batch(items: ReadonlyArray<unknown>): Promise<Answer> {
    return this.track("POST", "/api/v2/batch", { batch: items })
  }

  merge(primary: object, secondary: object): Promise<Answer> {
    return this.track("POST", "/api/v1/merge_customers", { primary, secondary })
  }
}
