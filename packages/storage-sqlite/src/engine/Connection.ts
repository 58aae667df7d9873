import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite"

type ResultRow = Record<string, SQLOutputValue>

/**
 * A connection to a database file. The connection can be closed and opened again. Each statement is then prepared again
 * when it is next used.
 */
export class Connection {
  private readonly connect: () => DatabaseSync
  private opened: DatabaseSync | undefined

  /** `opened` is the open database. `connect` opens the database again after `close`. */
  constructor(opened: DatabaseSync, connect: () => DatabaseSync) {
    this.opened = opened
    this.connect = connect
  }

  /** The open connection. Throws while the connection is closed. */
  get current(): DatabaseSync {
    if (this.opened === undefined) throw new Error("the database is closed")
    return this.opened
  }

  get isOpen(): boolean {
    return this.opened !== undefined
  }

  /** Prepares a statement that returns rows as objects. */
  prepare(sql: string): Statement {
    return new Statement(this, sql, false)
  }

  /** Prepares a statement that returns rows as arrays. */
  prepareByPlace(sql: string): Statement {
    return new Statement(this, sql, true)
  }

  open(): void {
    this.opened ??= this.connect()
  }

  close(): void {
    this.opened?.close()
    this.opened = undefined
  }
}

/** A prepared statement of a `Connection`. */
export class Statement {
  private readonly connection: Connection
  private readonly sql: string
  private readonly returnsArrays: boolean
  private preparedOn: DatabaseSync
  private prepared: StatementSync

  constructor(connection: Connection, sql: string, returnsArrays: boolean) {
    this.connection = connection
    this.sql = sql
    this.returnsArrays = returnsArrays
    this.preparedOn = connection.current
    this.prepared = this.prepare(this.preparedOn)
  }

  run(...values: Array<SQLInputValue>): { readonly changes: number | bigint } {
    return this.current.run(...values)
  }

  /**
   * Runs a statement that returns no rows, when nobody asks how many rows it changed. Unlike `run`, it creates no object
   * for the answer, which would take a third of the time of a small write.
   */
  execute(...values: Array<SQLInputValue>): void {
    this.current.get(...values)
  }

  get(...values: Array<SQLInputValue>): ResultRow | undefined {
    return this.current.get(...values)
  }

  all(...values: Array<SQLInputValue>): Array<ResultRow> {
    return this.current.all(...values)
  }

  iterate(...values: Array<SQLInputValue>): IterableIterator<ResultRow> {
    return this.current.iterate(...values)
  }

  private get current(): StatementSync {
    const { current } = this.connection
    if (current !== this.preparedOn) {
      this.prepared = this.prepare(current)
      this.preparedOn = current
    }
    return this.prepared
  }

  private prepare(connection: DatabaseSync): StatementSync {
    const statement = connection.prepare(this.sql)
    if (this.returnsArrays) statement.setReturnArrays(true)
    return statement
  }
}
