import { execFile, spawn, type ChildProcess } from "node:child_process"
import {
  accessSync,
  appendFileSync,
  chownSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { freePort } from "./freePort.ts"
import { packagedInstallation, serverUser, type Installation } from "./installations.ts"
import { password, ServerAddress, superuser } from "./ServerAddress.ts"

export interface ServerOptions {
  /** The version of PostgreSQL to run. The version from npm by default. */
  readonly installation?: Installation
  /** Parameters for `postgresql.conf`. These parameters override `defaultSettings`. */
  readonly settings?: Readonly<Record<string, string>>
}

const execute = promisify(execFile)

/**
 * Tests run faster without `fsync`. A crash of the server still loses no data, but a crash of the machine can lose
 * data.
 */
const defaultSettings = {
  fsync: "off",
  max_connections: "200",
  shared_buffers: "32MB",
  log_min_messages: "fatal",
  timezone: "UTC",
}

/** The longest wait for a server to accept connections, in milliseconds. */
const startMsMax = 120_000
const pollMs = 20

/**
 * A shell script that runs PostgreSQL and prints its process id. When its standard input closes, which also happens if
 * the parent process is killed, the script stops the server and removes the folder in $FOLDER.
 */
const supervisor = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
echo "$server"
(read -r _ <&3; : >"$FOLDER/abandoned"; kill -QUIT "$server") >/dev/null 2>&1 &
watcher=$!
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
[ ! -e "$FOLDER/abandoned" ] || rm -rf "$FOLDER"
exit "$status"
`

/** A PostgreSQL server on a free port of this machine, with its data in a temporary folder. */
export class PostgresServer extends ServerAddress {
  readonly directory: string
  private fsync = defaultSettings.fsync
  private readonly bin: string
  private running: { readonly shell: ChildProcess; readonly pid: number } | undefined

  private constructor(installation: Installation, port: number, directory: string) {
    super(installation.version, port)
    this.bin = installation.bin
    this.directory = directory
  }

  /** Creates an empty database cluster and starts a server on it. */
  static async start({
    installation = packagedInstallation(),
    settings = {},
  }: ServerOptions = {}): Promise<PostgresServer> {
    const folder = temporaryFolder(settings["fsync"] ?? defaultSettings.fsync)
    const directory = join(folder, "data")
    const passwordFile = join(folder, "password")
    writeFileSync(passwordFile, password)
    giveAway(passwordFile)
    const auth = ["--auth", "scram-sha-256", "--username", superuser, "--pwfile", passwordFile]
    const locale = ["--encoding", "UTF8", "--locale", "C"]
    await execute(
      join(installation.bin, "initdb"),
      ["--pgdata", directory, "--no-sync", ...auth, ...locale],
      {
        cwd: folder,
        ...serverUser(),
      },
    )
    const server = new PostgresServer(installation, await freePort(), directory)
    server.configure({
      ...defaultSettings,
      unix_socket_directories: "",
      port: String(server.port),
      ...settings,
    })
    await server.resume()
    return server
  }

  /** Sets parameters in `postgresql.conf`. The parameters take effect at the next start or with `pg_reload_conf()`. */
  configure(settings: Readonly<Record<string, string>>): void {
    const lines = Object.entries(settings).map(
      ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
    )
    appendFileSync(join(this.directory, "postgresql.conf"), lines.join(""))
    this.fsync = settings["fsync"] ?? this.fsync
  }

  /**
   * Writes a file that only the server can read, for example a private key, into the data directory. Returns its path.
   */
  addFile(name: string, content: string): string {
    const path = join(this.directory, name)
    writeFileSync(path, content, { mode: 0o600 })
    giveAway(path)
    return path
  }

  /** Starts the server again after `stop` or `kill`, and waits until the server accepts connections. */
  async resume(): Promise<void> {
    const shell = spawn(
      "/bin/sh",
      ["-c", supervisor, "sh", join(this.bin, "postgres"), "-D", this.directory],
      {
        stdio: ["pipe", "pipe", "ignore"],
        cwd: this.directory,
        env: { ...process.env, FOLDER: join(this.directory, "..") },
        ...serverUser(),
      },
    )
    const [line]: Array<unknown> = await once(createInterface(shell.stdout), "line")
    this.running = { shell, pid: Number(line) }
    const deadline = performance.now() + startMsMax
    while (!(await this.isReady())) {
      if (shell.exitCode !== null)
        throw new Error(`PostgreSQL ended with code ${shell.exitCode} while it started`)
      if (performance.now() > deadline) throw new Error(`PostgreSQL did not start within ${startMsMax} ms`)
      await pause(pollMs)
    }
  }

  /**
   * Stops the server. The mode `fast` disconnects clients and writes a checkpoint. The mode `immediate` stops the
   * server without a checkpoint, as a crash would.
   */
  async stop(mode: "fast" | "immediate" = "fast"): Promise<void> {
    await this.end(mode === "fast" ? "SIGINT" : "SIGQUIT")
  }

  /**
   * Kills the postmaster with SIGKILL. Waits until its child processes have ended too, so that the server can start
   * again.
   */
  async kill(): Promise<void> {
    await this.end("SIGKILL")
  }

  /** Stops the server and deletes its data. */
  async remove(): Promise<void> {
    await this.end("SIGQUIT")
    rmSync(join(this.directory, ".."), { recursive: true, force: true })
  }

  /** Creates a standby that replicates this server. Stops this server while its data are copied. */
  async standby(name: string, settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    await this.stop()
    const fsync = settings["fsync"] ?? this.fsync
    const folder = temporaryFolder(fsync)
    const directory = join(folder, "data")
    await execute("cp", ["-R", this.directory, directory], serverUser())
    await this.resume()
    const copy = new PostgresServer({ version: this.version, bin: this.bin }, await freePort(), directory)
    const source = `host=127.0.0.1 port=${this.port} user=${superuser} password=${password} application_name=${name}`
    copy.configure({
      port: String(copy.port),
      primary_conninfo: source,
      wal_retrieve_retry_interval: "100ms",
      ...settings,
      fsync,
    })
    copy.addFile("standby.signal", "")
    await copy.resume()
    return copy
  }

  private async isReady(): Promise<boolean> {
    try {
      await this.sql("SELECT 1")
      return true
    } catch {
      return false
    }
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.running === undefined) return
    const { pid, shell } = this.running
    this.running = undefined
    const children = childrenOf(pid)
    const ended = shell.exitCode === null ? once(shell, "exit") : Promise.resolve()
    signalProcess(pid, signal)
    await ended
    while (children.some(isAlive)) await pause(pollMs)
  }
}

/** A file system in memory, on Linux. */
const memoryFolder = "/dev/shm"

/**
 * The data of a server are in memory only if this many bytes are free. A run of all tests needs less than half of these
 * bytes.
 */
const memoryBytesMin = 4 * 1024 ** 3

/**
 * Returns whether the data of a server fit into the file system in memory. Creating and copying databases writes
 * hundreds of files. In memory, this takes a tenth of the CPU time that it takes on a disk. The data in memory also
 * survive a crash of the server.
 */
const fitsInMemory = (): boolean => {
  if (!isWritable(memoryFolder) || process.availableMemory() < memoryBytesMin) return false
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= memoryBytesMin
}

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * Creates a folder for the data of a server with this value of `fsync`. Only the data of a server without `fsync` may be
 * in memory, because a sync in memory takes no time.
 */
const temporaryFolder = (fsync: string): string => {
  const parent = fsync === "off" && fitsInMemory() ? memoryFolder : tmpdir()
  const folder = mkdtempSync(join(parent, "inlet-postgres-"))
  giveAway(folder)
  return folder
}

/** Makes the user that runs PostgreSQL the owner of a file. */
const giveAway = (path: string): void => {
  const { gid, uid } = serverUser()
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}

const signalProcess = (pid: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const isAlive = (pid: number): boolean => signalProcess(pid, 0)

/** Returns the child processes of a process, on systems that have `/proc`. */
const childrenOf = (pid: number): ReadonlyArray<number> => {
  const file = `/proc/${pid}/task/${pid}/children`
  if (!existsSync(file)) return []
  return readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number)
}
