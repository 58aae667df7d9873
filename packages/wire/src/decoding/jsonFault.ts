/** Where a text stops being JSON. */
interface JsonFault {
  /** The index of the first character that JSON does not allow there. It is the length of a text that ends too early. */
  readonly index: number
  /** The item of `batch` that the character stands in, from 0. Null if it stands in none. */
  readonly item: number | null
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const unicodeEscape = /[0-9a-fA-F]{4}/y
const words = ["true", "false", "null"]

/** What may stand at a place of a JSON text. */
type Expected = "value" | "value or ]" | "name" | "name or }" | ":" | ", or the end" | "the end"

/**
 * Returns where a text stops being JSON, or undefined if it is JSON. `JSON.parse` is several times faster, so this is
 * only for texts that it refused. It does not recurse, so a text may be nested to any depth.
 */
export const findJsonFault = (text: string): JsonFault | undefined => new Reader(text).fault()

class Reader {
  private at = 0
  private readonly open: Array<"{" | "["> = []
  /** The name at the first level that was read last. */
  private name = ""
  private item: number | null = null
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  fault(): JsonFault | undefined {
    let expected: Expected | undefined = "value"
    for (;;) {
      this.skipSpace()
      if (expected === "the end" && this.at === this.text.length) return undefined
      expected = this.next(expected, this.text[this.at])
      if (expected === undefined) return { index: this.at, item: this.item }
    }
  }

  /** Reads what is expected and returns what may follow it. Stops at the fault and returns undefined if it is not there. */
  private next(expected: Expected, found: string | undefined): Expected | undefined {
    switch (expected) {
      case "value":
        return this.value(found)
      case "value or ]":
        return found === "]" ? this.close() : this.value(found)
      case "name or }":
        return found === "}" ? this.close() : this.readName()
      case "name":
        return this.readName()
      case ":":
        return this.skip(found === ":") ? "value" : undefined
      case ", or the end":
        return this.separator(found)
      case "the end":
        return undefined
    }
  }

  private value(found: string | undefined): Expected | undefined {
    if (found === "{" || found === "[") {
      const isBatch = found === "[" && this.open.length === 1 && this.open[0] === "{" && this.name === "batch"
      if (isBatch) this.item = 0
      this.open.push(found)
      this.at++
      return found === "{" ? "name or }" : "value or ]"
    }
    const isRead = found === '"' ? this.readText() : this.readWord() || this.readNumber()
    return isRead ? this.afterValue() : undefined
  }

  private separator(found: string | undefined): Expected | undefined {
    const within = this.open.at(-1)
    if (found === (within === "{" ? "}" : "]")) return this.close()
    if (!this.skip(found === ",")) return undefined
    if (this.item !== null && this.open.length === 2) this.item++
    return within === "{" ? "name" : "value"
  }

  private close(): Expected {
    this.at++
    if (this.open.length === 2) this.item = null
    this.open.pop()
    return this.afterValue()
  }

  private afterValue(): Expected {
    return this.open.length === 0 ? "the end" : ", or the end"
  }

  private readName(): Expected | undefined {
    const start = this.at
    if (this.text[start] !== '"' || !this.readText()) return undefined
    if (this.open.length === 1) this.name = this.text.slice(start + 1, this.at - 1)
    return ":"
  }

  private readText(): boolean {
    const { text } = this
    for (this.at++; this.at < text.length; this.at++) {
      const unit = text.charCodeAt(this.at)
      if (unit === 0x22) return this.skip(true)
      if (unit < 0x20) return false
      if (unit === 0x5c && !this.readEscape()) return false
    }
    return false
  }

  private readEscape(): boolean {
    const letter = this.text[this.at + 1] ?? ""
    if (letter === "u") {
      unicodeEscape.lastIndex = this.at + 2
      if (!unicodeEscape.test(this.text)) return false
      this.at += 5
      return true
    }
    if (letter === "" || !'"\\/bfnrt'.includes(letter)) return false
    this.at++
    return true
  }

  private readWord(): boolean {
    const word = words.find((one) => this.text.startsWith(one, this.at))
    if (word !== undefined) this.at += word.length
    return word !== undefined
  }

  private readNumber(): boolean {
    number.lastIndex = this.at
    const isNumber = number.test(this.text)
    if (isNumber) this.at = number.lastIndex
    return isNumber
  }

  private skip(isThere: boolean): boolean {
    if (isThere) this.at++
    return isThere
  }

  private skipSpace(): void {
    for (;;) {
      const unit = this.text.charCodeAt(this.at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.at++
    }
  }
}
