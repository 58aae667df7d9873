import { mkdirSync } from "node:fs"
import { createServer, request } from "node:http"
import { createServer as createTcpServer, type AddressInfo } from "node:net"
import { join } from "node:path"
import { freshDirectory } from "../src/cleanup.ts"
import { eventually } from "../src/eventually.ts"
import { launchAs, type Launched } from "../src/Launched.ts"

/** The program of versitygw, or undefined if it was not built. */
export const gatewayProgram = process.env["INLET_TEST_VERSITYGW"]

const keys = { accessKeyId: "AKIAINLETTESTS", secretAccessKey: "a/secret+with=signs and spaces" }
const region = "eu-central-1"

/** An S3-compatible server that is not ours and checks signatures, with one bucket. */
export class SignedBucket {
  readonly port: number
  readonly process: Launched

  private constructor(port: number, process: Launched) {
    this.port = port
    this.process = process
  }

  static async start(): Promise<SignedBucket> {
    const folder = freshDirectory()
    mkdirSync(join(folder, "events"))
    const port = await freePort()
    const { accessKeyId, secretAccessKey } = keys
    const listening = ["--port", `127.0.0.1:${port}`, "--region", region]
    const process = launchAs([gatewayProgram ?? "", ...listening, "posix", "--nometa", folder], {
      ROOT_ACCESS_KEY: accessKeyId,
      ROOT_SECRET_KEY: secretAccessKey,
    })
    await eventually("the bucket answers", async () => {
      if (process.exited !== undefined) throw new Error(process.output.join("\n"))
      return fetch(`http://127.0.0.1:${port}/`).then(
        () => true,
        () => undefined,
      )
    })
    return new SignedBucket(port, process)
  }

  /** How to reach the bucket. */
  get access() {
    return { url: "s3://events/inlet", endpoint: `http://127.0.0.1:${this.port}`, region, ...keys }
  }

  /** The settings of a lake in the bucket, as the management API takes them. */
  get settings() {
    const { accessKeyId: access_key_id, secretAccessKey: secret_access_key, ...rest } = this.access
    return { target: "s3", ...rest, access_key_id, secret_access_key }
  }
}

/** Passes requests on to a server after a change of the value of their header `authorization`. Returns its address. */
export const changeSignatures = async (port: number, change: (signed: string) => string): Promise<string> => {
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: change(String(asked.headers.authorization)) }
    const { method, url: path } = asked
    asked.pipe(
      request({ host: "127.0.0.1", port, method, path, headers }, (answered) => {
        answer.writeHead(answered.statusCode ?? 502, answered.headers)
        answered.pipe(answer)
      }),
    )
  })
  proxy.unref()
  return new Promise((resolve) => {
    proxy.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${portOf(proxy.address())}`))
  })
}

const portOf = (address: AddressInfo | string | null): number =>
  address !== null && typeof address === "object" ? address.port : 0

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createTcpServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const port = portOf(server.address())
      server.close(() => resolve(port))
    })
  })
