/** The encodings of text in UTF-16, by the byte order mark at the beginning of the file. */
const encodings: ReadonlyArray<readonly [mark: readonly [number, number], encoding: string]> = [
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
]

/** Returns the encoding of a file by its first two bytes: one of UTF-16, or UTF-8. */
export const encodingOf = ([first, second]: Uint8Array): string =>
  encodings.find(([mark]) => mark[0] === first && mark[1] === second)?.[1] ?? "utf-8"
