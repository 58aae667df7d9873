import type { Answer, Served } from "./http.ts"
import { send } from "./http.ts"
import { fresh } from "./fresh.ts"
import { base64, pipelines, type Headers, type Payload } from "./ingestion.ts"
import { Management, PipelinesKey, read, Workspace } from "./Management.ts"
import { shared } from "./Tenant.ts"

/** A workspace that no other test file writes to, with a Pipelines write key. */
export class Source extends Management {
  readonly writeKey: string

  private constructor(served: Served, workspace: number, writeKey: string) {
    super(served, workspace)
    this.writeKey = writeKey
  }

  /** Creates a workspace with these settings and a write key for it. */
  static async create(settings: object = {}, served: Served = shared): Promise<Source> {
    const operator = new Management(served)
    const made = await operator.call("POST", "/workspaces", { name: fresh("w"), ...settings })
    if (made.status !== 201) throw new Error(`no workspace: ${made.status} ${made.text}`)
    return Source.forWorkspace(served, read(Workspace, made.json).environment_id)
  }

  /** Creates a write key for an existing workspace. */
  static async forWorkspace(served: Served, workspace: number): Promise<Source> {
    const operator = new Management(served, workspace)
    const made = await operator.call("POST", operator.at("/keys"), { kind: "pipelines", name: "test" })
    return new Source(served, workspace, read(PipelinesKey, made.json).write_key)
  }

  /** The Authorization header of this write key. */
  get authorization(): string {
    return `Basic ${base64(`${this.writeKey}:`)}`
  }

  post(path: string, payload?: Payload, headers: Headers = {}): Promise<Answer> {
    return pipelines(this.inlet, `/v1/${path}`, payload, { authorization: this.authorization, ...headers })
  }

  /** Sends a call as browsers do: as text/plain, with the write key in the body and no Authorization header. */
  postAsBrowser(path: string, payload: object): Promise<Answer> {
    return send(this.inlet.url, {
      method: "POST",
      path: `/v1/${path}`,
      headers: { "content-type": "text/plain" },
      body: JSON.stringify({ ...payload, writeKey: this.writeKey }),
    })
  }

  getAt(path: string, headers: Headers = {}): Promise<Answer> {
    return send(this.inlet.url, { method: "GET", path, headers })
  }

  /** Returns the whole activity of the workspace, oldest first. */
  log() {
    return this.activity({ order: "asc" })
  }
}
