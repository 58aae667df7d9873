import { readFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join } from "node:path"
import { gzipSync } from "node:zlib"

const types: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
}

/** Serves the files of a folder below a path, compressed, as a static host does. */
export class FolderServer {
  /** The address of the folder, with a slash at its end. */
  readonly url: string
  /** The bytes sent for each path, without headers. */
  readonly sent = new Map<string, number>()
  private readonly server: Server

  private constructor(server: Server, base: string) {
    this.server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`
  }

  static async start(folder: string, base: string): Promise<FolderServer> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const result = new FolderServer(server, base)
    server.on("request", async ({ url = "" }, response) => {
      const path = decodeURIComponent(new URL(url, result.url).pathname)
      const file = path.startsWith(base) ? path.slice(base.length) || "index.html" : ""
      const content = await readFile(join(folder, file)).catch(() => undefined)
      const type = types[extname(file)] ?? "application/octet-stream"
      if (content === undefined) return response.writeHead(404).end()
      const bytes = gzipSync(content)
      result.sent.set(file, bytes.length)
      return response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(bytes)
    })
    return result
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
