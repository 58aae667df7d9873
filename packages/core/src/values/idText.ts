/**
 * How the ids of people, objects and operations look as text. Imports nothing, so that web pages and commands can tell an
 * id without a schema.
 */

const numeral = /^[0-9a-z]+$/

/**
 * The smallest number of digits of the subject key or log position in an id. Numbers with fewer digits are padded with
 * zeros.
 */
const numberDigits = 9

/**
 * Returns a function that writes a subject key or a log position of a workspace as an id. The id is unique in the
 * installation. An id consists of a prefix, the number of digits of the workspace id, the workspace id, and the key or
 * position. All numbers are in base 36.
 */
const toText =
  (prefix: string) =>
  (workspace: number, n: number): string => {
    const digits = workspace.toString(36)
    return prefix + digits.length.toString(36) + digits + n.toString(36).padStart(numberDigits, "0")
  }

/**
 * Returns a function that reads the key or log position in an id that was made with `toText`. That function returns
 * undefined if the text is not an id of the workspace.
 */
const fromText = (prefix: string) => {
  const write = toText(prefix)
  return (workspace: number, text: string): number | undefined => {
    const start = write(workspace, 0).slice(0, -numberDigits)
    const rest = text.slice(start.length)
    if (!text.startsWith(start) || rest.length > 11 || !numeral.test(rest)) return undefined
    const n = Number.parseInt(rest, 36)
    return Number.isSafeInteger(n) && n > 0 && write(workspace, n) === text ? n : undefined
  }
}

const personPrefix = "p"
const objectPrefix = "o"
const operationPrefix = "op"

export const writePersonId = toText(personPrefix)
export const readPersonId = fromText(personPrefix)

export const writeObjectId = toText(objectPrefix)
export const readObjectId = fromText(objectPrefix)

export const writeOperationId = toText(operationPrefix)
const readFirstOperation = fromText(operationPrefix)

const operationId = /^(op[0-9a-z]+)(?:-(0|[1-9]\d{0,6}))?$/

/** Returns the log position in an operation id, to which the index of a batch item is added. */
export const readOperationId = (workspace: number, text: string): number | undefined => {
  const match = operationId.exec(text)
  const first = match?.[1] === undefined ? undefined : readFirstOperation(workspace, match[1])
  const position = (first ?? Number.NaN) + Number(match?.[2] ?? 0)
  return Number.isSafeInteger(position) ? position : undefined
}

/** Returns the workspace id inside an id with this prefix, or NaN. */
const workspaceIn = (prefix: string, text: string): number => {
  const start = prefix.length + 1
  const digits = Number.parseInt(text.slice(prefix.length, start), 36)
  return Number.parseInt(text.slice(start, start + digits), 36)
}

/** Returns whether a text is the id of a person, in any workspace and without the prefix `svc_`. */
export const isPersonId = (text: string): boolean =>
  readPersonId(workspaceIn(personPrefix, text), text) !== undefined

/** Returns whether a text is an operation id, in any workspace. */
export const isOperationId = (text: string): boolean =>
  readOperationId(workspaceIn(operationPrefix, text), text) !== undefined

/** Returns whether a text is the id of an object, in any workspace. */
export const isObjectId = (text: string): boolean =>
  readObjectId(workspaceIn(objectPrefix, text), text) !== undefined
