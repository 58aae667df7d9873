import { entryExamples } from "./entryExamples.ts"
import { entryTexts } from "./entryTexts.ts"
import { managementSpecification, type JsonSchema } from "./managementPage.ts"

/** A field of an entry, or of a document inside one. */
interface Field {
  /** The name of the schema and the path below it, as `entryTexts` has it. */
  readonly key: string
  /** The path within the table, such as `subject.id` or `changes[].path`. */
  readonly path: string
  readonly type: string
  readonly isOptional: boolean
}

/** The fields of one document. A document without a name is part of the table of the one that contains it. */
interface Table {
  readonly name: string
  readonly fields: ReadonlyArray<Field>
}

type Schemas = Readonly<Record<string, JsonSchema>>

const introduction = `# The entry

Every call leaves an entry in the activity log of its workspace: what was sent, by whom, what was decided by which clause of the contract, and what changed. It is the same document wherever you meet it.

\`\`\`sh
inlet tail --lines 1 --json
\`\`\`

- [Where it is shown](#where-it-is-shown) · [Three entries](#three-entries) · [Fields](#fields) · [What is erased](#what-is-erased)

## Where it is shown

| place | shape |
|---|---|
| \`GET …/activity\`, \`…/activity/stream\`, \`…/people/{svc_id}/activity\` | the document below |
| \`GET …/operations/{operation_id}\` | the document, and [what is said of one operation](#one-operation) |
| \`inlet tail --json\`, \`inlet export activity\` | the document, one a line |
| \`inlet tail\`, \`inlet why\`, the [console](console.md) | the same fields in tables and sentences |
| [webhooks](webhooks.md) of the kind \`activity\`, [Kafka](kafka.md) | the document as it was when it was sent |
| the [lake](lake.md) | a row of \`activity\`: \`position\` is \`sequence\`, \`happened_at\` is \`at\`, \`dedup_id\` is \`id\`, and the fields of \`subject\` are columns |
| [filters](filters.md) | \`kind:event outcome:partial name:bought\` finds entries by their fields |
`

const erased = `
## What is erased

Deleting or suppressing a person removes their events. Other entries about them lose their content: identifiers, \`name\`, \`data\`, \`changes\` and what was left out or read otherwise. \`operation_id\`, \`kind\`, \`outcome\`, the times and
effects on others stay. Entries about somebody else lose the values that belonged to the person. See [erasure.md](erasure.md).
`

/** Returns the page that explains an entry of the activity log, field by field. */
export const entryPage = (): string => {
  const examples = entryExamples.map(({ about, entry, request, title }) =>
    [
      `### ${title}`,
      about,
      codeBlock("", `${request.method} ${request.path}\n${JSON.stringify(request.body)}`),
      codeBlock("json", JSON.stringify(entry, null, 2)),
    ].join("\n\n"),
  )
  const tables = entryTables().map(
    ({ fields, name }) =>
      `### ${headings[name] ?? name}\n\n| field | type | |\n|---|---|---|\n${fields.map(rowOf).join("")}`,
  )
  const parts = [introduction, "## Three entries\n", ...examples, "## Fields\n", ...tables]
  return parts.join("\n\n").replaceAll(/\n{3,}/g, "\n\n") + erased
}

const entryName = "ActivityEntry"

/** The entry with more fields, as one operation is read. The page lists only those. */
const operationName = "Operation"

/** The headings of the tables, which are also the words for the types in the column of types. */
const headings: Readonly<Record<string, string>> = {
  [entryName]: "Entry",
  Reason: "Reason",
  RefusedValue: "Refused value",
  KeptValue: "Value read otherwise",
  SegmentEffect: "Effect on a segment",
  PlanFinding: "Plan that did not fit",
  RejectedRequest: "Rejected request",
  [operationName]: "One operation",
  DecidingClause: "Deciding clause",
  NamedPerson: "Named person",
  CallReason: "Reason of a call",
  CallAnswer: "Answer",
}

/** The table of the entry, then those of the documents with a name inside it, in the order of the fields. */
export const entryTables = (): ReadonlyArray<Table> => {
  const schemas = managementSpecification().components.schemas
  const tables = new Map<string, Table>()
  const found = (name: string): JsonSchema => {
    const schema = schemas[name]
    if (schema === undefined) throw new Error(`the OpenAPI document has no ${name}`)
    return schema
  }
  const add = (name: string, schema: JsonSchema): void => {
    if (tables.has(name)) return
    tables.set(name, { name, fields: fieldsIn(schema, name, "", schemas) })
    for (const inside of namedIn(schema, schemas)) add(inside, found(inside))
  }
  const entry = found(entryName)
  add(entryName, entry)
  const operation = found(operationName)
  const own = Object.entries(operation.properties ?? {}).filter(
    ([field]) => entry.properties?.[field] === undefined,
  )
  add(operationName, { ...operation, properties: Object.fromEntries(own) })
  return [...tables.values()]
}

const fieldsIn = (
  { properties = {}, required = [] }: JsonSchema,
  key: string,
  path: string,
  schemas: Schemas,
): ReadonlyArray<Field> =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const field = {
      key: `${key}.${name}`,
      path: `${path}${name}`,
      type: typeOf(schema, schemas),
      isOptional: !required.includes(name),
    }
    const inside = unnamedIn(schema)
    const below =
      inside === null ? [] : fieldsIn(inside.schema, field.key, `${field.path}${inside.step}`, schemas)
    return [field, ...below]
  })

const optionsOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => schema.anyOf ?? schema.oneOf ?? [schema]

/** Returns the document without a name that a value, or each item of its list, consists of. */
const unnamedIn = (schema: JsonSchema): { readonly schema: JsonSchema; readonly step: string } | null => {
  for (const option of optionsOf(schema)) {
    if (option.properties !== undefined) return { schema: option, step: "." }
    if (option.items?.properties !== undefined) return { schema: option.items, step: "[]." }
  }
  return null
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf("/") + 1)

/** Returns the names of the documents to which a schema refers. */
const namedIn = (schema: JsonSchema, schemas: Schemas): ReadonlyArray<string> => {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref)
    return schemas[name]?.properties === undefined ? [] : [name]
  }
  const inside = [...(schema.anyOf ?? schema.oneOf ?? []), ...Object.values(schema.properties ?? {})]
  return [...inside, ...(schema.items === undefined ? [] : [schema.items])].flatMap((one) =>
    namedIn(one, schemas),
  )
}

const typeOf = (schema: JsonSchema, schemas: Schemas): string =>
  [...new Set(optionsOf(schema).map((option) => plainType(option, schemas)))].join(" or ")

const plainType = (option: JsonSchema, schemas: Schemas): string => {
  if (option.$ref !== undefined) {
    const name = nameOf(option.$ref)
    const schema = schemas[name] ?? {}
    if (schema.properties === undefined) return typeOf(schema, schemas)
    return `[${(headings[name] ?? name).toLowerCase()}](#${anchorOf(name)})`
  }
  if (option.enum !== undefined) return option.enum.map((value) => `\`${String(value)}\``).join(", ")
  if (option.type === "array")
    return `list of ${option.items === undefined ? "values" : typeOf(option.items, schemas)}`
  return option.properties === undefined ? (option.type ?? "any JSON") : "document"
}

const anchorOf = (name: string): string => (headings[name] ?? name).toLowerCase().replaceAll(" ", "-")

const rowOf = ({ isOptional, key, path, type }: Field): string =>
  `| \`${path}\`${isOptional ? " (optional)" : ""} | ${type} | ${entryTexts[key] ?? ""} |\n`

const codeBlock = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``
