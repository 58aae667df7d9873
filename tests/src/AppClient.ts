import { APIClient } from "customerio-node"
import { Schema } from "effect"
import { eventually } from "./eventually.ts"
import { send, type Answer, type RunningServer } from "./http.ts"
import { read } from "./Management.ts"
import { sharedServer, type Tenant } from "./Tenant.ts"

const AppKey = Schema.Struct({ app_key: Schema.String, key_id: Schema.String })

/** Reads a workspace over the App API. */
export class AppClient {
  readonly key: string
  readonly keyId: string
  readonly served: RunningServer

  private constructor(served: RunningServer, key: string, keyId: string) {
    this.served = served
    this.key = key
    this.keyId = keyId
  }

  static async create(
    tenant: Tenant,
    scope: "read" | "read+segments" = "read+segments",
    served: RunningServer = sharedServer,
  ): Promise<AppClient> {
    const made = await tenant.call("POST", tenant.pathOf("/keys"), { kind: "app", name: "reader", scope })
    const { app_key, key_id } = read(AppKey, made.json)
    return new AppClient(served, app_key, key_id)
  }

  /** The client of the hosted service, which knows nothing of Inlet but its address. */
  get api(): APIClient {
    return new APIClient(this.key, { url: `${this.served.url}/v1`, retry: { maxRetries: 0 } })
  }

  /** The same key on another server, which has the same data. */
  on(served: RunningServer): AppClient {
    return new AppClient(served, this.key, this.keyId)
  }

  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return send(this.served.url, {
      method,
      path: `/v1${path}`,
      headers: { authorization: `Bearer ${this.key}` },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    })
  }

  /** Returns what an answer with the status 200 says. */
  async get(path: string): Promise<unknown> {
    const answer = await this.call("GET", path)
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`)
    return answer.json
  }
}

const exportWith = (app: AppClient, id: number, condition: string, holds: (status: string) => boolean) =>
  eventually(`the export is ${condition}`, async () => {
    const found = Object(await app.api.getExport(id)).export
    return holds(found.status) ? found : undefined
  })

/** Waits until an export is made, and returns it. */
export const exportEnded = (app: AppClient, id: number): Promise<unknown> =>
  exportWith(app, id, "made", (status) => status !== "pending")

/** Waits until the file of an export is gone. */
export const exportFailed = (app: AppClient, id: number): Promise<unknown> =>
  exportWith(app, id, "gone", (status) => status === "failed")
