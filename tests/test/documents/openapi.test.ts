import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Schema } from "effect"
import { beforeAll, describe, expect, it } from "vitest"
import { send, type Answer } from "../../src/http.ts"
import { strict } from "../../src/ingestion.ts"
import { pipelinesBodies, trackV1Bodies, trackV2Items } from "../../src/openapi/fullBodies.ts"
import { variantsOf, type Variant } from "../../src/openapi/variants.ts"
import { PipelinesSource } from "../../src/PipelinesSource.ts"
import { sharedServer, Tenant } from "../../src/Tenant.ts"

const Operation = Schema.Struct({
  operationId: Schema.String,
  security: Schema.optionalKey(Schema.Array(Schema.Record(Schema.String, Schema.Unknown))),
  parameters: Schema.optionalKey(
    Schema.Array(Schema.Struct({ name: Schema.String, in: Schema.String, example: Schema.String })),
  ),
  requestBody: Schema.optionalKey(
    Schema.Struct({
      content: Schema.Struct({
        "application/json": Schema.Struct({
          examples: Schema.Record(
            Schema.String,
            Schema.Struct({ value: Schema.Json, "x-inlet-status": Schema.optionalKey(Schema.Int) }),
          ),
        }),
      }),
    }),
  ),
  responses: Schema.Record(
    Schema.String,
    Schema.Struct({
      headers: Schema.Record(Schema.String, Schema.Unknown),
      content: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
    }),
  ),
})
type Operation = typeof Operation.Type

const Document = Schema.Struct({
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
})

const paths = { track: "/api/openapi.json", pipelines: "/v1/openapi.json" } as const
type Name = keyof typeof paths

const tenant = await Tenant.create()
const source = await PipelinesSource.forWorkspace(sharedServer, tenant.workspace)
const segmentId = await tenant.createSegment("everyone")
const documents = {
  track: (await send(sharedServer.url, { method: "GET", path: paths.track })).json,
  pipelines: (await send(sharedServer.url, { method: "GET", path: paths.pipelines })).json,
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })

beforeAll(() => {
  for (const [name, document] of Object.entries(documents)) {
    if (typeof document !== "object" || document === null) throw new Error(`no document ${name}`)
    ajv.addSchema({ $id: name, ...document }, name, false, false)
  }
})

const pointer = (...keys: ReadonlyArray<string>): string =>
  keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join("")

/** Returns the check of the schema at a place of a document. */
const checkAt = (name: Name, keys: ReadonlyArray<string>): ((value: unknown) => boolean) => {
  const check = ajv.getSchema(`${name}#${pointer(...keys)}`)
  if (check === undefined) throw new Error(`no schema at ${keys.join(" ")}`)
  return (value) => check(value) === true
}

const accepts = (name: Name, keys: ReadonlyArray<string>, value: unknown): boolean =>
  checkAt(name, keys)(value)

const bodySchema = (path: string, method: string): ReadonlyArray<string> => [
  "paths",
  path,
  method,
  "requestBody",
  "content",
  "application/json",
  "schema",
]

const operationsOf = (name: Name) =>
  Object.entries(Schema.decodeUnknownSync(Document)(documents[name]).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name, path, method, operation })),
  )

/** Values of path parameters that exist in the workspace of this test. */
const existing: Readonly<Record<string, string>> = {
  segment_id: String(segmentId),
  write_key: source.writeKey,
}

const placed = (path: string, { parameters = [] }: Pick<Operation, "parameters">): string =>
  parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((text, one) => text.replace(`{${one.name}}`, existing[one.name] ?? one.example), path)

const authorization: Readonly<Record<Name, string>> = {
  track: tenant.authorization["authorization"] ?? "",
  pipelines: source.authorization,
}

const call = (
  name: Name,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = { authorization: authorization[name] },
): Promise<Answer> =>
  send(sharedServer.url, {
    method: method.toUpperCase(),
    path,
    headers: { "content-type": "application/json", ...strict, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

const expectDocumented = (
  name: Name,
  path: string,
  method: string,
  { responses }: Operation,
  answer: Answer,
) => {
  expect(Object.keys(responses), `${method} ${path}: ${answer.text}`).toContain(String(answer.status))
  const headers = Object.keys(responses[answer.status]?.headers ?? {}).map((header) => header.toLowerCase())
  expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(headers))
  for (const type of Object.keys(responses[answer.status]?.content ?? {})) {
    expect(answer.headers["content-type"]).toContain(type)
    const schema = ["paths", path, method, "responses", String(answer.status), "content", type, "schema"]
    const body = type === "application/json" ? answer.json : answer.text
    expect(accepts(name, schema, body), `${method} ${path}: ${answer.text}`).toBe(true)
  }
}

const all = [...operationsOf("track"), ...operationsOf("pipelines")]

describe("the OpenAPI documents of the ingestion APIs", () => {
  it.each(["track", "pipelines"] as const)(
    "contract §2: the document of %s is valid OpenAPI 3.1",
    async (name) => {
      const document = documents[name]
      if (typeof document !== "object" || document === null) throw new Error("no document")
      const validator = new Validator()
      const { errors = [], valid } = await validator.validate({ ...document })
      expect(errors).toEqual([])
      expect(valid).toBe(true)
      expect(validator.version).toBe("3.1")
    },
  )

  it.each(all)(
    "$method $path answers its examples as the document says",
    async ({ method, name, operation, path }) => {
      const examples = Object.entries(operation.requestBody?.content["application/json"].examples ?? {})
      const at = placed(path, operation)
      if (examples.length === 0) {
        expectDocumented(name, path, method, operation, await call(name, method, at))
      }
      const [success] = Object.keys(operation.responses).filter((status) => status.startsWith("2"))
      for (const [, { value, "x-inlet-status": status = Number(success) }] of examples) {
        expect(accepts(name, bodySchema(path, method), value)).toBe(true)
        const answer = await call(name, method, at, value)
        expect(answer.status, answer.text).toBe(status)
        expectDocumented(name, path, method, operation, answer)
      }
    },
  )

  it.each(all.filter(({ operation }) => operation.responses["401"] !== undefined))(
    "$method $path refuses wrong credentials as the document says",
    async ({ method, name, operation, path }) => {
      const wrong = { authorization: "Basic d3Jvbmc6d3Jvbmc=" }
      const answer = await call(name, method, placed(path, operation), {}, wrong)
      expect(answer.status).toBe(401)
      expectDocumented(name, path, method, operation, answer)
    },
  )
})

/** Requests that are on their way at the same time. */
const atOnce = 16

/** Sends each variant. Returns descriptions of the variants that the schema and the server judge differently. */
const disagreements = async (
  name: Name,
  schema: ReadonlyArray<string>,
  variants: ReadonlyArray<Variant>,
  post: (variant: Variant) => Promise<Answer>,
): Promise<ReadonlyArray<string>> => {
  const accepted = checkAt(name, schema)
  const found: Array<string> = []
  for (let from = 0; from < variants.length; from += atOnce) {
    const answers = variants.slice(from, from + atOnce).map(async (variant) => {
      const { status, text } = await post(variant)
      const byServer = status < 300
      if (accepted(variant.body) !== byServer) found.push(`${variant.about}: ${status} ${text.trim()}`)
    })
    await Promise.all(answers)
  }
  return found
}

describe("a schema of the OpenAPI documents refuses what the server refuses", () => {
  /** The state of a form, and no schema, decides that the email names the respondent, who must not be missing. */
  const skipped = new Set(["data.email"])

  it.each(Object.entries(trackV1Bodies))("%s", async (operation, bodies) => {
    const [method = "", path = ""] = operation.split(" ")
    const operationAt = all.find((one) => one.path === path && one.method === method)
    const at = placed(path, operationAt?.operation ?? {})
    for (const body of bodies) {
      const variants = variantsOf(body, skipped).filter(({ about }) => about !== "data is an object")
      expect(
        await disagreements("track", bodySchema(path, method), variants, (one) =>
          call("track", method, at, one.body),
        ),
      ).toEqual([])
    }
  })

  it.each(trackV2Items.map((item) => [`${item.type} ${item.action}`, item] as const))(
    "an item of Track v2: %s",
    async (_, item) => {
      const schema = bodySchema("/v2/entity", "post")
      const found = await disagreements("track", schema, variantsOf(item), ({ body }) =>
        call("track", "post", "/v2/entity", body),
      )
      expect(found).toEqual([])
    },
  )

  it("a batch of Track v2", async () => {
    const schema = bodySchema("/v2/batch", "post")
    const batch = { batch: [{ type: "person", action: "delete", identifiers: { id: "ada" } }] }
    const found = await disagreements("track", schema, variantsOf(batch), ({ body }) =>
      call("track", "post", "/v2/batch", body),
    )
    expect(found).toEqual([])
  })

  it.each(Object.entries(pipelinesBodies))("%s in strict mode", async (path, body) => {
    const found = await disagreements("pipelines", bodySchema(path, "post"), variantsOf(body), (one) =>
      call("pipelines", "post", path, one.body),
    )
    expect(found).toEqual([])
  })
})
