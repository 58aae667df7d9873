import { createServer, type Server } from "node:http"
import { afterAll } from "vitest"

/**
 * A website that does not belong to Inlet, on another port of the same machine. The site answers every request with the
 * same HTML.
 */
export class ForeignSite {
  private readonly server: Server

  private constructor(server: Server) {
    this.server = server
  }

  /** Starts the site on a free port. The site stops after the tests of the file. */
  static async start(html: string): Promise<ForeignSite> {
    const server = createServer((request, response) => {
      request.resume()
      response.writeHead(200, { "content-type": "text/html" }).end(html)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    afterAll(() => {
      server.close()
      server.closeAllConnections()
    })
    return new ForeignSite(server)
  }

  /** Returns the address of the site under a host name of this machine. */
  url(host: "127.0.0.1" | "localhost"): string {
    const address = this.server.address()
    if (address === null || typeof address === "string") throw new Error("the site does not listen")
    return `http://${host}:${address.port}`
  }
}
