import { createServer } from "node:http"

/* What no Node server can be cheaper than: reads a body, parses it, and answers as Inlet does, without doing anything. */

const body = "{}\n"

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString("utf8"))
    response.writeHead(200, [
      "cache-control",
      "no-cache, no-store, must-revalidate, max-age=0",
      "content-type",
      "application/json; charset=utf-8",
      "content-length",
      String(Buffer.byteLength(body)),
      "inlet-operation-id",
      "op0000000001",
    ])
    response.end(body)
  })
})

server.listen(Number(process.env["INLET_PORT"]), process.env["INLET_HOST"])
