import type { Answer, RunningServer } from "./http.ts"
import { send } from "./http.ts"
import { base64, pipelines, type Headers, type Payload } from "./ingestion.ts"
import { Management, PipelinesKey, read } from "./Management.ts"
import { sharedServer } from "./Tenant.ts"

/** A workspace with a Pipelines write key. No other test file writes to this workspace. */
export class PipelinesSource extends Management {
  readonly writeKey: string

  private constructor(served: RunningServer, workspace: number, writeKey: string) {
    super(served, workspace)
    this.writeKey = writeKey
  }

  /** Creates a workspace with these settings, and a write key for the workspace. */
  static async create(settings: object = {}, served: RunningServer = sharedServer): Promise<PipelinesSource> {
    return PipelinesSource.forWorkspace(served, await new Management(served).createWorkspace(settings))
  }

  /** Creates a write key for an existing workspace. */
  static async forWorkspace(served: RunningServer, workspace: number): Promise<PipelinesSource> {
    const operator = new Management(served, workspace)
    const made = await operator.call("POST", operator.pathOf("/keys"), { kind: "pipelines", name: "test" })
    return new PipelinesSource(served, workspace, read(PipelinesKey, made.json).write_key)
  }

  /** The Authorization header of this write key. */
  get authorization(): string {
    return `Basic ${base64(`${this.writeKey}:`)}`
  }

  post(path: string, payload?: Payload, headers: Headers = {}): Promise<Answer> {
    return pipelines(this.inlet, `/v1/${path}`, payload, { authorization: this.authorization, ...headers })
  }

  /**
   * Sends a call as browsers do: with the content type text/plain and the write key in the body, but without an
   * Authorization header.
   */
  postAsBrowser(path: string, payload: object): Promise<Answer> {
    return send(this.inlet.url, {
      method: "POST",
      path: `/v1/${path}`,
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ ...payload, writeKey: this.writeKey }),
    })
  }

  getPath(path: string, headers: Headers = {}): Promise<Answer> {
    return send(this.inlet.url, { method: "GET", path, headers })
  }

  /** Returns the whole activity of the workspace, oldest first. */
  log() {
    return this.activity({ order: "asc" })
  }
}
