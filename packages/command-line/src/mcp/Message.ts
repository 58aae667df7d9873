import { Option, Schema } from "effect"

/** The parts of a message of the Model Context Protocol that decide how it travels. */
const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite, Schema.Null])),
  method: Schema.optionalKey(Schema.String),
  params: Schema.optionalKey(
    Schema.Struct({
      name: Schema.optionalKey(Schema.String),
      uri: Schema.optionalKey(Schema.String),
      _meta: Schema.optionalKey(
        Schema.Struct({ "io.modelcontextprotocol/protocolVersion": Schema.optionalKey(Schema.String) }),
      ),
    }),
  ),
  result: Schema.optionalKey(Schema.Struct({ protocolVersion: Schema.optionalKey(Schema.String) })),
})
export type Message = typeof Message.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Message))

/** Reads a message. What is no message has no method. */
export const readMessage = (text: string): Message => Option.getOrElse(decode(text), () => ({}))

/** Returns the headers in which the protocol without sessions repeats what a message says. */
export const routingHeaders = ({ method, params }: Message): Readonly<Record<string, string>> => {
  const version = params?._meta?.["io.modelcontextprotocol/protocolVersion"]
  if (version === undefined || method === undefined) return {}
  const name = params?.name ?? params?.uri
  return {
    "mcp-protocol-version": version,
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": headerText(name) }),
  }
}

const headerText = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`

/** Returns an answer that says why a message could not be delivered. */
export const failure = ({ id = null }: Message, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message } })

/** Returns the messages in the body of an answer: a document, or the data of server-sent events. */
export const messagesIn = (contentType: string, body: string): ReadonlyArray<string> => {
  if (!contentType.startsWith("text/event-stream")) {
    const text = body.trim()
    return text === "" ? [] : text.split("\n")
  }
  return body
    .split(/\r?\n\r?\n/)
    .map((event) => [...event.matchAll(/^data: ?(.*)$/gm)].map(([, data = ""]) => data).join("\n"))
    .filter((data) => data !== "")
}
