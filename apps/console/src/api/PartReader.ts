/** Called for each server-sent event with its id and its data as JSON. Heartbeats have no data. */
export type OnPart = (id: string, data: string | undefined) => void

/** Splits the text of a response into server-sent events. */
export class PartReader {
  private rest = ""
  private readonly onPart: OnPart

  constructor(onPart: OnPart) {
    this.onPart = onPart
  }

  add(text: string): void {
    this.rest += text
    let start = 0
    for (;;) {
      const end = this.rest.indexOf("\n\n", start)
      if (end < 0) break
      this.readPart(this.rest.slice(start, end))
      start = end + 2
    }
    this.rest = this.rest.slice(start)
  }

  private readPart(part: string): void {
    let id = ""
    let data: string | undefined
    for (const line of part.split("\n")) {
      if (line.startsWith("id: ")) id = line.slice(4)
      else if (line.startsWith("data: ")) data = line.slice(6)
    }
    this.onPart(id, data)
  }
}
