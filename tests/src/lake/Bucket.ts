import S3rver from "s3rver"
import { freshDirectory } from "../cleanup.ts"

/** An S3-compatible server that is not ours, with one bucket. */
export class Bucket {
  readonly directory = freshDirectory()
  private running: S3rver | null = null
  private port = 0

  /** Starts the server, on the same port as before. */
  async start(): Promise<void> {
    this.running = new S3rver({
      port: this.port,
      address: "127.0.0.1",
      silent: true,
      directory: this.directory,
      configureBuckets: [{ name: "events", configs: [] }],
    })
    const { port } = await this.running.run()
    this.port = port
  }

  async stop(): Promise<void> {
    await this.running?.close()
    this.running = null
  }

  /** The settings of a lake in the bucket. */
  get settings() {
    return {
      target: "s3",
      url: "s3://events/inlet",
      endpoint: `http://127.0.0.1:${this.port}`,
      region: "us-east-1",
      access_key_id: "S3RVER",
      secret_access_key: "S3RVER",
    }
  }
}
