import { Stream } from "effect"
import { encodingOf } from "./encodingOf.ts"

/**
 * Returns the bytes of a text file as UTF-8. A file in UTF-16 with a byte order mark, which spreadsheets write as
 * “Unicode text”, is converted. Any other file is returned unchanged.
 */
export const utf8Of = <E, R>(file: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Uint8Array, E, R> =>
  Stream.mapAccumArray(
    file,
    () => new Converter(),
    (converter, parts) => [converter, parts.flatMap((part) => converter.add(part))],
    { onHalt: (converter) => converter.rest() },
  )

class Converter {
  /** Converts the file, or is null if the file is not converted. Undefined until its first two bytes have arrived. */
  private decoder: TextDecoder | null | undefined
  private first: number | undefined
  private readonly encoder = new TextEncoder()

  add(part: Uint8Array): ReadonlyArray<Uint8Array> {
    if (this.decoder !== undefined) return this.convert(part)
    const held = this.rest()
    if (part.length + held.length < 2) {
      this.first ??= part[0]
      return []
    }
    this.first = undefined
    const encoding = encodingOf(Uint8Array.of(...(held[0] ?? []), ...part.subarray(0, 2)))
    this.decoder = encoding === "utf-8" ? null : new TextDecoder(encoding)
    return [...held, part].flatMap((bytes) => this.convert(bytes))
  }

  rest(): ReadonlyArray<Uint8Array> {
    if (this.decoder == null) return this.first === undefined ? [] : [Uint8Array.of(this.first)]
    return this.encoded(this.decoder.decode())
  }

  private convert(bytes: Uint8Array): ReadonlyArray<Uint8Array> {
    return this.decoder == null ? [bytes] : this.encoded(this.decoder.decode(bytes, { stream: true }))
  }

  private encoded(text: string): ReadonlyArray<Uint8Array> {
    return text === "" ? [] : [this.encoder.encode(text)]
  }
}
