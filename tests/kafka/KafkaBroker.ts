import { execFile } from "node:child_process"
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeCertificate } from "@inlethq/postgres-server/certificate"
import { freePorts } from "@inlethq/postgres-server/freePort"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { launchAs, type Launched } from "../src/Launched.ts"
import { brokerJars } from "./brokerJars.ts"

const run = promisify(execFile)

/**
 * The number of partitions of each topic that Inlet creates in the tests. The number is above 1, so that the tests also
 * cover several partitions.
 */
const partitions = 4

/** The user that the broker accepts at `secureAddress`. */
export const kafkaUser = { name: "inlet", password: "open-sesame" }

/** A real Kafka broker, which is also its own controller. It keeps its data and its port across restarts. */
export class KafkaBroker {
  readonly address: string
  /** The address that requires TLS and the password of `kafkaUser`. */
  readonly secureAddress: string
  /** A PEM file with the TLS certificate of `secureAddress`. */
  readonly certificateFile: string
  private readonly port: number
  private readonly java: ReadonlyArray<string>
  private readonly settingsFile: string
  private process: Launched | undefined

  private constructor(ports: Ports, java: ReadonlyArray<string>, directory: string) {
    this.address = `127.0.0.1:${ports.plain}`
    this.secureAddress = `localhost:${ports.secure}`
    this.certificateFile = join(directory, "certificate.pem")
    this.port = ports.plain
    this.java = java
    this.settingsFile = join(directory, "server.properties")
  }

  /** Creates and starts a broker with an empty log. The broker stops after the tests of the file. */
  static async start(): Promise<KafkaBroker> {
    const directory = freshDirectory()
    const [plain = 0, secure = 0, controller = 0] = await freePorts(3)
    const ports = { plain, secure, controller }
    const java = ["java", "-Xmx512m", "-XX:+UseSerialGC", "-cp", join(await brokerJars(), "*")]
    const broker = new KafkaBroker(ports, java, directory)
    const { cert, key } = makeCertificate("broker")
    writeFileSync(broker.certificateFile, cert)
    writeFileSync(join(directory, "keystore.pem"), `${key}${cert}`)
    writeFileSync(broker.settingsFile, settingsOf(directory, ports))
    const [file = "", ...options] = java
    const format = ["kafka.tools.StorageTool", "format", "-t", "4L6g3nShT-eMCtK--X86sw"]
    const scram = `SCRAM-SHA-256=[name=${kafkaUser.name},password=${kafkaUser.password}]`
    await run(file, [...options, ...format, "-c", broker.settingsFile, "--add-scram", scram])
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

interface Ports {
  readonly plain: number
  readonly secure: number
  readonly controller: number
}

const loginModules = "org.apache.kafka.common.security"
const login = `username="${kafkaUser.name}" password="${kafkaUser.password}"`

const settingsOf = (directory: string, { controller, plain, secure }: Ports): string => `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=PLAINTEXT://127.0.0.1:${plain},SECURE://localhost:${secure},CONTROLLER://127.0.0.1:${controller}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECURE:SASL_SSL
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
listener.name.secure.ssl.keystore.type=PEM
listener.name.secure.ssl.keystore.location=${join(directory, "keystore.pem")}
listener.name.secure.plain.sasl.jaas.config=${loginModules}.plain.PlainLoginModule required ${login} user_${kafkaUser.name}="${kafkaUser.password}";
listener.name.secure.scram-sha-256.sasl.jaas.config=${loginModules}.scram.ScramLoginModule required;
log.dirs=${join(directory, "log")}
num.partitions=${partitions}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
`

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
