import { randomBytes } from "node:crypto"
import { runSql } from "./runSql.ts"

/** The name of the superuser of every server. The password of the superuser equals the name. */
export const superuser = "inlet"
export const password = "p@ss:word/1"

/** The address of a PostgreSQL server that a test started. Other processes can also use this address. */
export class ServerAddress {
  readonly version: number
  readonly port: number

  constructor(version: number, port: number) {
    this.version = version
    this.port = port
  }

  /** Returns the URL of a database in the format of libpq. The user is the superuser unless another user is given. */
  url(
    database = "postgres",
    user: { readonly name: string; readonly password: string } = { name: superuser, password },
  ): string {
    const credentials = `${encodeURIComponent(user.name)}:${encodeURIComponent(user.password)}`
    return `postgres://${credentials}@127.0.0.1:${this.port}/${database}`
  }

  /** Creates an empty database with a new name and returns the name. */
  async createDatabase(options = ""): Promise<string> {
    const name = `test_${randomBytes(8).toString("hex")}`
    // `FILE_COPY` copies the files of the template. The default strategy also writes these files to the write-ahead
    // log, and takes twice the CPU time.
    await this.sql(`CREATE DATABASE ${name} STRATEGY FILE_COPY ${options}`)
    return name
  }

  /** Runs statements as the superuser, each in its own transaction. Returns the rows of the last statement. */
  sql(
    statements: string | ReadonlyArray<string>,
    database?: string,
  ): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>> {
    return runSql(this.url(database), typeof statements === "string" ? [statements] : statements)
  }
}
