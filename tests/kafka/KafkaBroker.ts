import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { launchAs, type Launched } from "../src/Launched.ts"
import { brokerJars } from "./brokerJars.ts"

const run = promisify(execFile)

/**
 * The number of partitions of a topic that Inlet creates. A topic has several partitions, so that the tests cover more
 * than one partition.
 */
const partitions = 4

/** A real Kafka broker, which is also its own controller. It keeps its data and its port across restarts. */
export class KafkaBroker {
  readonly address: string
  private readonly port: number
  private readonly java: ReadonlyArray<string>
  private readonly settingsFile: string
  private process: Launched | undefined

  private constructor(port: number, java: ReadonlyArray<string>, settingsFile: string) {
    this.address = `127.0.0.1:${port}`
    this.port = port
    this.java = java
    this.settingsFile = settingsFile
  }

  /** Creates and starts a broker with an empty log. The broker stops after the tests of the file. */
  static async start(): Promise<KafkaBroker> {
    const directory = freshDirectory()
    const [port, controllerPort] = [await freePort(), await freePort()]
    const settingsFile = join(directory, "server.properties")
    writeFileSync(settingsFile, settingsOf(directory, port, controllerPort))
    const java = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", join(await brokerJars(), "*")]
    const [file = "", ...options] = java
    const format = ["kafka.tools.StorageTool", "format", "-t", "4L6g3nShT-eMCtK--X86sw", "-c", settingsFile]
    await run(file, [...options, ...format])
    const broker = new KafkaBroker(port, java, settingsFile)
    await broker.restart()
    return broker
  }

  /** Starts the broker again after `kill`, and waits until it accepts connections. */
  async restart(): Promise<void> {
    const launched = launchAs([...this.java, "kafka.Kafka", this.settingsFile], {})
    this.process = launched
    await eventually("the broker accepts connections", async () => {
      if (launched.exited !== undefined) {
        throw new Error(`the broker exited with ${launched.exited.code}:\n${launched.output.join("\n")}`)
      }
      return (await isListening(this.port)) ? true : undefined
    })
  }

  /** Kills the broker with SIGKILL, as a crash would. */
  async kill(): Promise<void> {
    await this.process?.signal("SIGKILL")
  }
}

const settingsOf = (directory: string, port: number, controllerPort: number): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
log.dirs=${join(directory, "log")}
num.partitions=${partitions}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
`

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
  })
