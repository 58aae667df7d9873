import { CutProxy } from "@inlethq/postgres-server/CutProxy"
import { PostgresServer } from "@inlethq/postgres-server/PostgresServer"
import { eventually } from "../eventually.ts"
import { Inlet } from "../Inlet.ts"

/** Three nodes on one PostgreSQL database. Each node reaches the database through a separate proxy. */
export class Cluster {
  readonly server: PostgresServer
  readonly database: string
  readonly proxies: ReadonlyArray<CutProxy>
  private readonly nodes: Array<Inlet | undefined> = []

  private constructor(server: PostgresServer, database: string, proxies: ReadonlyArray<CutProxy>) {
    this.server = server
    this.database = database
    this.proxies = proxies
  }

  static async start(): Promise<Cluster> {
    const server = await PostgresServer.start()
    const database = await server.createDatabase()
    const proxies = await Promise.all(Array.from({ length: 3 }, () => CutProxy.start(server.port)))
    const cluster = new Cluster(server, database, proxies)
    await Promise.all(proxies.map((_, node) => cluster.startNode(node)))
    return cluster
  }

  get size(): number {
    return this.proxies.length
  }

  get running(): ReadonlyArray<Inlet> {
    return this.nodes.filter((node) => node !== undefined)
  }

  /** Returns one of the running nodes. Waits if no node is running. */
  any(random: () => number): Promise<Inlet> {
    return eventually("a node runs", () => this.running[Math.floor(random() * this.running.length)])
  }

  node(index: number): Inlet | undefined {
    return this.nodes[index]
  }

  async startNode(index: number): Promise<void> {
    const proxy = this.proxies[index]
    if (proxy === undefined) throw new Error(`there is no node ${index}`)
    const url = this.server.url(this.database).replace(`:${this.server.port}/`, `:${proxy.port}/`)
    const env = { INLET_STORE: `${url}?sslmode=disable`, INLET_SECRET: "s".repeat(32) }
    this.nodes[index] = await Inlet.start({ env })
  }

  async killNode(index: number): Promise<void> {
    const node = this.nodes[index]
    this.nodes[index] = undefined
    await node?.kill()
  }

  /** Runs statements on one connection to the database. Returns the rows of the last statement. */
  sql(...statements: ReadonlyArray<string>) {
    return this.server.sql(statements, this.database)
  }

  async remove(): Promise<void> {
    await Promise.all(this.running.map((node) => node.kill()))
    await Promise.all(this.proxies.map((proxy) => proxy.close()))
    await this.server.remove()
  }
}
