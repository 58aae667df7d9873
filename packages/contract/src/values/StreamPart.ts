/** The `Last-Event-ID` of a stream of activity that starts at the beginning of the log. */
export const fromTheBeginning = "0"

/** An event or a heartbeat in a stream of activity. A heartbeat has only the position in the stream. */
export interface StreamPart {
  /** The `Last-Event-ID` with which a client resumes after this part. */
  readonly id: string
  /** The event's data as JSON, or null for a heartbeat. */
  readonly data: string | null
}

/** Writes a part as a server-sent event. */
export const partText = ({ data, id }: StreamPart): string =>
  `id: ${id}\n${data === null ? ": here" : `data: ${data}`}\n\n`

/**
 * Reads the parts of a stream, in whatever pieces its text arrives. The usual parsers of server-sent events drop a
 * heartbeat with its id, because it has no data, and then a client that resumes reads again what its filter has
 * left out.
 */
export class StreamReader {
  /** The pieces of a line that is not complete. */
  private pieces: Array<string> = []
  private id: string | null = null
  private data: string | null = null

  /** Returns the parts that are complete with this piece. */
  add(piece: string): ReadonlyArray<StreamPart> {
    const [end = "", ...starts] = piece.split("\n")
    this.pieces.push(end)
    const parts: Array<StreamPart> = []
    for (const start of starts) {
      const part = this.read(this.pieces.join("").replace(/\r$/, ""))
      if (part !== null) parts.push(part)
      this.pieces = [start]
    }
    return parts
  }

  /** Reads a line, and returns the part that it completes. */
  private read(line: string): StreamPart | null {
    if (line === "") return this.complete()
    const colon = line.indexOf(":")
    const name = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (name === "id") this.id = value
    else if (name === "data") this.data = this.data === null ? value : `${this.data}\n${value}`
    return null
  }

  private complete(): StreamPart | null {
    const { data, id } = this
    this.id = null
    this.data = null
    return id === null ? null : { id, data }
  }
}
