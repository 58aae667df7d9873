import { createServer } from "node:http"
import { gunzipSync } from "node:zlib"

/**
 * A minimal Node server that serves as the baseline. The server reads and parses each body, sends the same answer as
 * Inlet, and does nothing else.
 */

const body = "{}\n"

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const bytes = Buffer.concat(chunks)
    const isCompressed = request.headers["content-encoding"] === "gzip"
    if (bytes.length > 0) JSON.parse((isCompressed ? gunzipSync(bytes) : bytes).toString("utf8"))
    response.writeHead(200, [
      "cache-control",
      "no-cache, no-store, must-revalidate, max-age=0",
      "content-type",
      "application/json; charset=utf-8",
      "content-length",
      String(Buffer.byteLength(body)),
      "inlet-operation-id",
      "op11000000001",
    ])
    response.end(body)
  })
})

server.listen(Number(process.env["INLET_PORT"]), process.env["INLET_HOST"])
