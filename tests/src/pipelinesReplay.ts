import { Schema } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { send, type Answer } from "./http.ts"
import { read } from "./Management.ts"
import type { PipelinesSource } from "./PipelinesSource.ts"

const Text = Schema.Record(Schema.String, Schema.String)

const Request = Schema.Struct({
  name: Schema.String,
  method: Schema.String,
  path: Schema.String,
  headers: Text,
  encoding: Schema.optionalKey(Schema.Literal("gzip")),
  chunked: Schema.optionalKey(Schema.Boolean),
  before: Schema.optionalKey(Schema.Array(Schema.Struct({ path: Schema.String, body: Schema.Json }))),
  body: Schema.optionalKey(Schema.Json),
  status: Schema.Int,
  answer: Schema.optionalKey(Schema.Literals(["any", "json", "settings"])),
  state: Schema.Array(Schema.Json),
})
export type Request = typeof Request.Type

/** Recorded requests of public clients of the Pipelines API. Placeholders stand for values that must be unique. */
export const requests = read(
  Schema.Struct({ requests: Schema.Array(Request) }),
  JSON.parse(readFileSync(new URL("../conformance/pipelines-replay.json", import.meta.url), "utf8")),
).requests

const placeholder = /\{\{([^}]+)\}\}/g

/** Fills the placeholders in one recorded request. Equal placeholders get equal values. */
export class Placeholders {
  readonly #source: PipelinesSource
  readonly #values = new Map<string, string>()
  readonly now = Date.now()

  constructor(source: PipelinesSource) {
    this.#source = source
  }

  /**
   * Returns the text with each placeholder replaced by its value, such as the write key of the source or a random id.
   */
  text(template: string): string {
    return template.replaceAll(placeholder, (_all, name: string) => this.#value(name))
  }

  /**
   * Returns JSON with its placeholders filled. A string that consists of a single number placeholder becomes a number.
   */
  json(template: Schema.Json): Schema.Json {
    if (typeof template === "string") {
      const filled = this.text(template)
      return /^\{\{#[^}]+\}\}$/.test(template) ? Number(filled) : filled
    }
    if (Array.isArray(template)) return template.map((item) => this.json(item))
    if (typeof template !== "object" || template === null) return template
    return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, this.json(value)]))
  }

  #value(name: string): string {
    const key = name.replace(/^\$/, "#")
    const known = this.#values.get(key) ?? this.#make(key)
    this.#values.set(key, known)
    return known
  }

  #make(name: string): string {
    if (name === "key") return this.#source.writeKey
    if (name === "basic") return this.#source.authorization
    if (name === "m") return randomBytes(16).toString("hex")
    if (name === "py") return `${new Date(this.now).toISOString().slice(0, -1)}456+00:00`
    if (name === "php") return `${new Date(this.now).toISOString().slice(0, 19)}+00:00`
    const ago = /^iso(?:-(\d+))?$/.exec(name)
    if (ago !== null) return new Date(this.now - Number(ago[1] ?? 0) * 1000).toISOString()
    if (name.startsWith("uuid:")) return randomUUID()
    if (name.startsWith("mail:")) return `${randomBytes(6).toString("hex")}@example.com`
    if (name.startsWith("#")) return String(randomBytes(5).readUIntBE(0, 5))
    return `id-${randomBytes(6).toString("hex")}`
  }
}

/**
 * Replays a recorded request with its placeholders filled. First sends the requests that prepare the workspace. Returns
 * the answer to the recorded request.
 */
export const replay = async (
  source: PipelinesSource,
  placeholders: Placeholders,
  request: Request,
): Promise<Answer> => {
  for (const { body, path } of request.before ?? []) {
    const answer = await source.post(
      placeholders.text(path).slice("/v1/".length),
      JSON.stringify(placeholders.json(body)),
    )
    if (answer.status !== 200)
      throw new Error(`${request.name}: a preparing request was answered ${answer.status}`)
  }
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, placeholders.text(value)] as const,
  )
  return send(source.inlet.url, {
    method: request.method,
    path: placeholders.text(request.path),
    headers: {
      ...Object.fromEntries(headers),
      ...(request.encoding === undefined ? {} : { "content-encoding": request.encoding }),
    },
    ...(request.body === undefined ? {} : { body: bytesOf(request, placeholders.json(request.body)) }),
  })
}

const bytesOf = ({ chunked, encoding }: Request, body: Schema.Json) => {
  const text = Buffer.from(typeof body === "string" ? body : JSON.stringify(body))
  const bytes = encoding === "gzip" ? gzipSync(text) : text
  const half = bytes.length >> 1
  return chunked === true ? [bytes.subarray(0, half), bytes.subarray(half)] : bytes
}
