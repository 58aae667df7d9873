import { randomBytes } from "node:crypto"
import { runSql } from "./runSql.ts"

/** The superuser of every server, and its password. */
export const superuser = "inlet"
export const password = "p@ss:word/1"

/** The address of a PostgreSQL server that a test started. Another process can use the server through it. */
export class ServerAddress {
  readonly version: number
  readonly port: number

  constructor(version: number, port: number) {
    this.version = version
    this.port = port
  }

  /** Returns a URL of a database as libpq writes it, with the superuser unless another user is named. */
  url(
    database = "postgres",
    user: { readonly name: string; readonly password: string } = { name: superuser, password },
  ): string {
    const credentials = `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}`
    return `postgres://${credentials}@127.0.0.1:${this.port}/${database}`
  }

  /** Creates an empty database and returns its name, which no other process uses. */
  async createDatabase(options = ""): Promise<string> {
    const name = `test_${randomBytes(8).toString("hex")}`
    await this.sql(`CREATE DATABASE ${name} ${options}`)
    return name
  }

  /** Runs statements as the superuser, each in its own transaction. Returns the rows of the last. */
  sql(
    statements: string | ReadonlyArray<string>,
    database?: string,
  ): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    return runSql(this.url(database), typeof statements === "string" ? [statements] : statements)
  }
}
