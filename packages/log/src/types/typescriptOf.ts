import { isJsonObject, type Json, type JsonObject } from "@inlethq/core/values/Json"

/** Returns a type of TypeScript for the values that a schema of `jsonSchemaOf` accepts. */
export const typescriptOf = (schema: Json, indent = ""): string => {
  if (!isJsonObject(schema)) return "unknown"
  const { enum: literals, type } = schema
  if (Array.isArray(literals)) return union(literals.map((one) => JSON.stringify(one)))
  const types = typeof type === "string" ? [type] : Array.isArray(type) ? type : []
  return union(types.map((one) => typeText(String(one), schema, indent)))
}

const union = (parts: ReadonlyArray<string>): string =>
  parts.length === 0 ? "unknown" : [...new Set(parts)].join(" | ")

const typeText = (type: string, schema: JsonObject, indent: string): string => {
  switch (type) {
    case "integer":
      return "number"
    case "array":
      return schema["items"] === undefined
        ? "ReadonlyArray<unknown>"
        : `ReadonlyArray<${typescriptOf(schema["items"], indent)}>`
    case "object":
      return objectText(schema, indent)
    default:
      return type
  }
}

const objectText = (schema: JsonObject, indent: string): string => {
  const properties = isJsonObject(schema["properties"]) ? Object.entries(schema["properties"]) : []
  const required = Array.isArray(schema["required"]) ? schema["required"] : []
  const inner = `${indent}  `
  const lines = properties.map(([key, value]) => {
    const mark = required.includes(key) ? "" : "?"
    return `${inner}${keyText(key)}${mark}: ${typescriptOf(value, inner)}`
  })
  const others = schema["additionalProperties"] === true ? [`${inner}[key: string]: unknown`] : []
  const all = [...lines, ...others]
  return all.length === 0 ? "Record<string, unknown>" : `{\n${all.join("\n")}\n${indent}}`
}

const keyText = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key))
