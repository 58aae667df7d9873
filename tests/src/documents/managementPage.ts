import { requirementOf } from "@inlethq/contract/access/Access"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"

/** The parts of a JSON schema that the documentation describes. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<Schema.Json>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
}

const JsonSchema: Schema.Codec<JsonSchema> = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  enum: Schema.optionalKey(Schema.Array(Schema.Json)),
  properties: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => JsonSchema),
    ),
  ),
  required: Schema.optionalKey(Schema.Array(Schema.String)),
  items: Schema.optionalKey(Schema.suspend(() => JsonSchema)),
  anyOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => JsonSchema))),
  oneOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => JsonSchema))),
})

const Content = Schema.Record(Schema.String, Schema.Struct({ schema: JsonSchema }))

const Operation = Schema.Struct({
  tags: Schema.Array(Schema.String),
  parameters: Schema.Array(
    Schema.Struct({ name: Schema.String, in: Schema.String, required: Schema.Boolean, schema: JsonSchema }),
  ),
  requestBody: Schema.optionalKey(Schema.Struct({ content: Content })),
  responses: Schema.Record(Schema.String, Schema.Struct({ content: Schema.optionalKey(Content) })),
})
type Operation = typeof Operation.Type

const Specification = Schema.Struct({
  tags: Schema.Array(Schema.Struct({ name: Schema.String })),
  paths: Schema.Record(Schema.String, Schema.Record(Schema.String, Operation)),
  components: Schema.Struct({ schemas: Schema.Record(Schema.String, JsonSchema) }),
})

/** HTTP statuses with which nearly every operation may answer. The introduction of the page explains them once. */
const commonStatuses = new Set(["400", "401", "403", "404", "429", "500", "503"])

const introduction = `# The management API

Every path below begins with \`/management/v1\`. Requests need the header \`Authorization: Bearer <management token>\`, except for the OpenAPI document of this reference. Bodies and answers are JSON with snake_case keys. Times are
ISO 8601 in UTC.

\`\`\`sh
curl -f $INLET_URL/management/v1/openapi.json
curl -f -H "Authorization: Bearer $INLET_MANAGEMENT_TOKEN" "$INLET_URL/management/v1/workspaces/1/people?limit=10"
\`\`\`

\`{w}\` is the id of a workspace. Lists answer \`{"items":[…],"next":"…"}\`: pass \`next\` as \`after\` to get the next page, until it is null. A page has 50 items unless \`limit\` (at most 1000)
says otherwise, newest first unless \`order=asc\`.

The column "needs" has the scope that the token needs: \`read\`, \`write\` or \`admin\`. A token that is limited to some workspaces can use only their paths, and none that need a scope "of all".

Escape ids in paths. Write the ids \`.\` and \`..\` of objects, forms and deliveries as \`~.\` and \`~..\`, because browsers and HTTP libraries resolve \`.\` and \`..\` even if they are escaped.

Errors are problem details (RFC 9457). Any operation can answer 400 (the request is invalid), 401 (the token is missing or wrong), 403 (the token lacks the scope or the
workspace, or a request with a console session comes from another origin), 404 (what the path names does not exist), 429 (the token is wrong, like many others from this address), 500 and 503 (try again). The column "also answers" lists further statuses. [errors.md](errors.md) explains every text.

\`GET …/operations/{operation_id}\` answers all there is about an operation: its entry, its explanation, and in \`call\` [the request that makes it again](contract.md#contract-16-calls), such as

\`\`\`json
{"protocol": "track-v1", "method": "PUT", "path": "/api/v1/customers/ada", "body": {"plan": "pro"}}
\`\`\`

Send it with a key to the API that it names, or change it and send it to \`POST …/operations\` with \`method\`, \`path\` and \`body\`. Of a rejected call, \`answer\` is what its sender got.

The reference is made by \`pnpm generate\`.
`

/** The OpenAPI document of the management API. */
export const managementSpecification = (): typeof Specification.Type =>
  Schema.decodeUnknownSync(Specification)(OpenApi.fromApi(ManagementApi))

/** Returns the page with the reference documentation of the management API. */
export const managementPage = (): string => {
  const { components, paths, tags } = managementSpecification()
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sections = tags.map(({ name }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(({ method, operation, path }) => operationRow(method, path, operation))
    return [
      `## ${name}`,
      "",
      ...head("method and path", "needs", "query", "body", "answer", "also answers"),
      ...rows,
      "",
    ]
  })
  const documents = Object.entries(components.schemas)
    .filter(([name]) => !name.endsWith("Encoded"))
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([name, schema]) => documentLines(name, schema))
  return [introduction, ...sections.flat(), "## Documents", "", ...documents].join("\n").trimEnd() + "\n"
}

/** What each operation requires of the token, by its method and path. */
const needs = new Map<string, string>()
HttpApi.reflect(ManagementApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint }) => {
    const { reach, scope } = requirementOf(endpoint)
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
    needs.set(`${endpoint.method.toLowerCase()} ${path}`, reach === "all" ? `${scope} of all` : scope)
  },
})

const head = (...names: ReadonlyArray<string>): ReadonlyArray<string> => [
  `| ${names.join(" | ")} |`,
  `|${names.map(() => "---|").join("")}`,
]

const operationRow = (method: string, path: string, operation: Operation): string => {
  const query = operation.parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, required }) => `\`${name}\`${required ? " (required)" : ""}`)
  const [, { content = {} } = { content: {} }] =
    Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? []
  const status = Object.keys(operation.responses).find((code) => code.startsWith("2")) ?? ""
  const others = Object.keys(operation.responses).filter(
    (code) => !code.startsWith("2") && !commonStatuses.has(code),
  )
  const cells = [
    `\`${method.toUpperCase()} ${path.replace("/management/v1", "")}\``,
    needs.get(`${method} ${path}`) ?? "",
    query.join(", "),
    contentText(operation.requestBody?.content ?? {}),
    [status, contentText(content)].filter((text) => text !== "").join(" "),
    others.join(", "),
  ]
  return `| ${cells.join(" | ")} |`
}

const contentText = (content: typeof Content.Type): string =>
  Object.entries(content)
    .map(([type, { schema }]) =>
      type.includes("json") && !type.includes("ndjson") ? typeText(schema) : `\`${type}\``,
    )
    .join(" or ")

/** Returns the type of a value as Markdown. A reference to a schema becomes a link to the section about this schema. */
const typeText = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1).replace(/Encoded$/, "")
    return `[${name}](#${name.toLowerCase()})`
  }
  const options = schema.anyOf ?? schema.oneOf
  if (options !== undefined) return [...new Set(options.map(typeText))].join(" or ")
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ")
  if (schema.type === "array")
    return `list of ${schema.items === undefined ? "values" : typeText(schema.items)}`
  const { items } = schema.properties ?? {}
  if (items !== undefined && schema.properties?.["next"] !== undefined)
    return `page of ${typeText(items).replace("list of ", "")}`
  if (schema.properties !== undefined) {
    return `{ ${Object.entries(schema.properties)
      .map(([key, value]) => `${key}: ${typeText(value)}`)
      .join(", ")} }`
  }
  return schema.type ?? "any JSON"
}

const documentLines = (name: string, schema: JsonSchema): ReadonlyArray<string> => {
  const fields = Object.entries(schema.properties ?? {})
  const required = new Set(schema.required)
  const rows = fields.map(([key, value]) => {
    const cells = [
      `\`${key}\`${required.has(key) ? "" : " (optional)"}`,
      typeText(value),
      value.description ?? "",
    ]
    return `| ${cells.join(" | ")} |`
  })
  const about = schema.description === undefined ? [] : [sentence(schema.description), ""]
  return [
    `### ${name}`,
    "",
    ...about,
    ...(fields.length === 0
      ? [`Type: ${typeText({ ...schema, description: "" })}.`]
      : [...head("field", "type", ""), ...rows]),
    "",
  ]
}

const sentence = (text: string): string => {
  const begun = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
