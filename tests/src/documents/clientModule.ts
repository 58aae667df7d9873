import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { managementPath } from "@inlethq/contract/values/managementPath"
import { OpenApi } from "effect/http-api"

const header = `import type { AnswerOf, BodyOf, QueryOf } from "@inlethq/contract/ManagementCall"
import { addressOf, pathOf, request, submit, type Param, type Signal } from "./request.ts"

// Made from the contract of the management API by \`pnpm generate\`, so that the console does not compile when an endpoint
// changes under it. The types are those of the contract; only names and paths are loaded by the page.

/** The calls of the management API by group and name. Files and streams have the address to read them from, or to send them to. */
export const api = {
`

type Operation = OpenApi.OpenAPISpecOperation

const jsonType = "application/json"

/** Returns the media types of the body of a successful answer. Empty if the answer has no body. */
const answerTypes = ({ responses }: Operation): ReadonlyArray<string> =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([, answer]) => Object.keys(answer.content ?? {}))

const bodyTypes = ({ requestBody }: Operation): ReadonlyArray<string> =>
  Object.keys(requestBody?.content ?? {})

const isJson = (operation: Operation): boolean =>
  [...answerTypes(operation), ...bodyTypes(operation)].every((type) => type === jsonType)

const camel = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/**
 * Returns the source of the method of one endpoint: its path parameters, its query and its body become parameters. The
 * method of an endpoint that takes or answers a file or a stream returns its address.
 */
const methodOf = (method: string, path: string, operation: Operation): string => {
  const [group = "", name = ""] = operation.operationId.split(".")
  const of = `<${JSON.stringify(group)}, ${JSON.stringify(name)}>`
  const segments = path.slice(managementPath.length + 1).split("/")
  const names = segments.map((segment) => /^\{(\w+)\}$/.exec(segment)?.[1])
  const query = operation.parameters.filter(({ in: place }) => place === "query")
  const hasBody = isJson(operation) && bodyTypes(operation).length > 0
  const parameters = [
    ...names.flatMap((param) => (param === undefined ? [] : [`${camel(param)}: Param`])),
    ...(hasBody ? [`body: BodyOf${of}`] : []),
    ...(query.length > 0
      ? [`query: QueryOf${of}${query.some(({ required }) => required) || hasBody ? "" : " = {}"}`]
      : []),
    "signal?: Signal",
  ]
  const parts = segments.map((segment, at) => {
    const param = names[at]
    return param === undefined ? JSON.stringify(segment) : camel(param)
  })
  const options = [...(hasBody ? ["body"] : []), ...(query.length > 0 ? ["query"] : []), "signal"]
  if (!isJson(operation)) {
    return `    ${name}: (${parameters.slice(0, -1).join(", ")}) => addressOf(pathOf(${parts.join(", ")})${query.length > 0 ? ", query" : ""}),\n`
  }
  const send = answerTypes(operation).length > 0 ? `request<AnswerOf${of}>` : "submit"
  return `    ${name}: (${parameters.join(", ")}) => ${send}("${method.toUpperCase()}", pathOf(${parts.join(", ")}), { ${options.join(", ")} }),\n`
}

const methods = ["get", "put", "post", "delete", "patch"] as const

/** Returns the source of the TypeScript module that calls the management API from the console. */
export const clientModule = (): string => {
  const groups = new Map<string, string>()
  for (const [path, item] of Object.entries(OpenApi.fromApi(ManagementApi).paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation === undefined) continue
      const [group = ""] = operation.operationId.split(".")
      groups.set(group, (groups.get(group) ?? "") + methodOf(method, path, operation))
    }
  }
  const sources = [...groups].map(([group, source]) => `  ${group}: {\n${source}  },\n`)
  return `${header}${sources.join("")}} as const\n`
}
