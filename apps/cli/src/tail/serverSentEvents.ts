/** An event or a heartbeat in a stream of server-sent events. A heartbeat has only the position of the stream. */
export interface StreamPart {
  /** The `Last-Event-ID` with which a client resumes after this event or heartbeat. */
  readonly id: string
  /** The event's data, or null for a heartbeat. */
  readonly data: string | null
}

/** An event or heartbeat that is still being received. Fields that have not arrived yet are null. */
export interface PartialPart {
  readonly id: string | null
  readonly data: string | null
}

export const noFields: PartialPart = { id: null, data: null }

/**
 * Reads one line of a stream of server-sent events. Returns the fields that have arrived since the last empty line. If
 * the line is empty, also returns the event or heartbeat that these fields form.
 */
export const readLine = (
  { data, id }: PartialPart,
  line: string,
): readonly [fields: PartialPart, parts: ReadonlyArray<StreamPart>] => {
  if (line === "") return [noFields, id === null ? [] : [{ id, data }]]
  const colon = line.indexOf(":")
  if (colon === 0) return [{ data, id }, []]
  const name = colon < 0 ? line : line.slice(0, colon)
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
  if (name === "id") return [{ data, id: value }, []]
  if (name === "data") return [{ data: data === null ? value : `${data}\n${value}`, id }, []]
  return [{ data, id }, []]
}
