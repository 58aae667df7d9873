import { inject } from "vitest"
import { fresh } from "./fresh.ts"
import type { Answer, Served } from "./http.ts"
import { base64, customer, track, type Headers, type Payload } from "./ingestion.ts"
import { Management, read, TrackKey, Workspace } from "./Management.ts"

/** The server started once for all test files. */
export const shared: Served = { url: inject("servedAt") }

/** A workspace that no other test file writes to, with a Track key. */
export class Tenant extends Management {
  readonly siteId: string
  readonly apiKey: string

  private constructor(served: Served, workspace: number, siteId: string, apiKey: string) {
    super(served, workspace)
    this.siteId = siteId
    this.apiKey = apiKey
  }

  /** Creates a workspace with these settings and a Track key for it. */
  static async create(settings: object = {}, served: Served = shared): Promise<Tenant> {
    const operator = new Management(served)
    const made = await operator.call("POST", "/workspaces", { name: fresh("w"), ...settings })
    if (made.status !== 201) throw new Error(`no workspace: ${made.status} ${made.text}`)
    const { environment_id } = read(Workspace, made.json)
    const keys = new Management(served, environment_id).at("/keys")
    const key = read(TrackKey, (await operator.call("POST", keys, { kind: "track", name: "test" })).json)
    return new Tenant(served, environment_id, key.site_id, key.api_key)
  }

  /** The Authorization header of this workspace's Track key. */
  get authorization(): Headers {
    return { authorization: `Basic ${base64(`${this.siteId}:${this.apiKey}`)}` }
  }

  /** Changes settings of the workspace. */
  async set(settings: object): Promise<void> {
    const answer = await this.call("PATCH", this.at(""), settings)
    if (answer.status !== 200) throw new Error(`not set: ${answer.status} ${answer.text}`)
  }

  track(method: string, path: string, payload?: Payload, headers: Headers = {}): Promise<Answer> {
    return track(this.inlet, method, path, payload, { ...this.authorization, ...headers })
  }

  identify(identifier: string, attributes: object = {}): Promise<Answer> {
    return this.track("PUT", customer(identifier), attributes)
  }

  does(identifier: string, payload: Payload): Promise<Answer> {
    return this.track("POST", `${customer(identifier)}/events`, payload)
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
