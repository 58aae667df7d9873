import type { OperationDocument } from "../../api/documents.ts"

export type Call = NonNullable<OperationDocument["call"]>

/** A change that is made to the body of each call before it is sent again. */
export interface CallEdit {
  /** The path of the field in the body, with dots between its parts. Empty if nothing is changed. */
  readonly field: string
  /** The new value as JSON, or as plain text if it is no JSON. Empty to leave the field out. */
  readonly value: string
}

type Body = Readonly<Record<string, unknown>>

const isBody = (value: unknown): value is Body =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns a call with the edit. A body without the place of the field stays as it is. */
export const editedCall = (call: Call, { field, value }: CallEdit): Call => {
  const path = field.trim() === "" ? [] : field.trim().split(".")
  if (path.length === 0 || !isBody(call.body)) return call
  const body: Call["body"] = JSON.parse(JSON.stringify(changed(call.body, path, value.trim())))
  return { ...call, body }
}

const changed = (body: Body, [key = "", ...rest]: ReadonlyArray<string>, value: string): Body => {
  if (rest.length > 0) {
    const within = body[key]
    return isBody(within) ? { ...body, [key]: changed(within, rest, value) } : body
  }
  const { [key]: _, ...others } = body
  return value === "" ? others : { ...others, [key]: valueIn(value) }
}

const valueIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
