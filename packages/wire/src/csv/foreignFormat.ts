/** The first bytes of formats that people upload in place of CSV, in latin1. */
const signatures: ReadonlyArray<readonly [bytes: string, format: string]> = [
  ["\u00FF\u00FE", "text in UTF-16"],
  ["\u00FE\u00FF", "text in UTF-16"],
  ["\u0089PNG", "a PNG image"],
  ["\u00FF\u00D8\u00FF", "a JPEG image"],
  ["GIF8", "a GIF image"],
  ["%PDF-", "a PDF document"],
  ["PK\u0003\u0004", "a spreadsheet (.xlsx) or another ZIP archive"],
  ["\u00D0\u00CF\u0011\u00E0", "a spreadsheet (.xls) or another Office document"],
  ["\u001F\u008B", "a gzip archive"],
  ["{", "JSON"],
]

/** Returns a description of the format if a file is surely not CSV in UTF-8. `bytes` is the beginning of the file. */
export const foreignFormat = (bytes: Uint8Array): string | undefined => {
  const known = signatures.find(([signature]) =>
    Array.from(signature).every((character, i) => bytes[i] === character.charCodeAt(0)),
  )
  if (known !== undefined) return known[1]
  const zero = bytes.indexOf(0)
  if (zero < 0) return undefined
  return bytes.length > 3 && bytes[zero === 0 ? 2 : zero + 2] === 0 ? "text in UTF-16" : "binary data"
}
