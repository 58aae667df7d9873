import { because, type Why } from "../texts/because.ts"

/**
 * The part of the Standard Schema interface, version 1, that the client uses. Schemas of Zod, Valibot, ArkType and
 * others implement this interface. `Schema.toStandardSchemaV1` converts an Effect schema to a Standard Schema.
 */
export interface StandardSchema<Input = unknown> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult | Promise<StandardResult>
    readonly types?: { readonly input: Input; readonly output: unknown } | undefined
  }
}

type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** The result of checking the properties of an event. */
export type Checked =
  | { readonly _tag: "Valid"; readonly value: unknown }
  | { readonly _tag: "Invalid"; readonly why: Why }

/** The largest number of schema issues in the reason of a rejected call. */
const issuesShownMax = 10

/** Checks a value with a schema that validates synchronously. A schema that throws accepts no value. */
export const check = (schema: StandardSchema, value: unknown): Checked => {
  try {
    return validate(schema, value)
  } catch (error) {
    return { _tag: "Invalid", why: because("schemaThrew", { reason: String(error) }) }
  }
}

const validate = (schema: StandardSchema, value: unknown): Checked => {
  const result = schema["~standard"].validate(value)
  if (result instanceof Promise) {
    result.catch(() => undefined)
    return { _tag: "Invalid", why: because("schemaAsync") }
  }
  if (result.issues === undefined) return { _tag: "Valid", value: result.value }
  const shown = result.issues.slice(0, issuesShownMax).map(describe)
  if (result.issues.length > shown.length) shown.push(`and ${result.issues.length - shown.length} more`)
  return { _tag: "Invalid", why: { code: "schema_mismatch", reason: shown.join("; ") } }
}

const describe = ({ message, path = [] }: StandardIssue): string =>
  ["properties", ...path.map((part) => String(typeof part === "object" ? part.key : part))].join(".") +
  `: ${message}`
