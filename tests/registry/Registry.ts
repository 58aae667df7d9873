import { freePort } from "@inlethq/postgres-server/freePort"
import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { send } from "../src/http.ts"
import { launchAs } from "../src/Launched.ts"

const user = { name: "publisher", password: "publisher-on-loopback" }

/** A registry on loopback that has only Inlet's packages. */
export class Registry {
  readonly url: string
  /** The folder with the registry's files and the publisher's credentials. */
  private readonly folder = freshDirectory()

  private constructor(port: number) {
    this.url = `http://127.0.0.1:${port}/`
  }

  static async start(): Promise<Registry> {
    const registry = new Registry(await freePort())
    const config = join(registry.folder, "config.json")
    writeFileSync(config, JSON.stringify(registry.settings()))
    const program = join(import.meta.dirname, "../node_modules/.bin/verdaccio")
    const listen = registry.url.slice(0, -1)
    const server = launchAs([program, "--config", config, "--listen", listen], { HOME: registry.folder })
    await eventually("the registry answers", async () => {
      if (server.exited !== undefined) throw new Error(server.printed)
      const ping = await send(listen, { method: "GET", path: "/-/ping" }).catch(() => undefined)
      return ping?.status === 200 ? true : undefined
    })
    await registry.addPublisher()
    return registry
  }

  /** Publishes a tarball as `npm publish` does. */
  async publish(tarball: string): Promise<void> {
    const args = ["publish", tarball, "--registry", this.url, "--userconfig", join(this.folder, ".npmrc")]
    await promisify(execFile)("npm", [...args, "--loglevel=error"], { cwd: this.folder })
  }

  private settings() {
    return {
      storage: join(this.folder, "storage"),
      auth: { htpasswd: { file: join(this.folder, "htpasswd") } },
      packages: {
        "@inlethq/*": { access: "$all", publish: "$authenticated" },
      },
      max_body_size: "50mb",
      web: { enable: false },
      log: { type: "stdout", level: "warn" },
    }
  }

  /** Makes an account, whose token `npm publish` finds in a configuration file. */
  private async addPublisher(): Promise<void> {
    const answer = await fetch(`${this.url}-/user/org.couchdb.user:${user.name}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(user),
    })
    const { token }: { readonly token?: unknown } = JSON.parse(await answer.text())
    if (typeof token !== "string") throw new Error(`the registry made no account: ${answer.status}`)
    const line = `${this.url.slice("http:".length)}:_authToken=${token}\n`
    writeFileSync(join(this.folder, ".npmrc"), line, { mode: 0o600 })
  }
}
