/** Letters that Unicode does not take apart into a plain letter and an accent, with what is typed for them. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ħ: "h",
  ı: "i",
  ł: "l",
  ŋ: "n",
  þ: "th",
  ŧ: "t",
}

const plainLetter = new RegExp(`[${Object.keys(plainLetters).join("")}]`, "g")

const isAscii = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) return false
  return true
}

/** Returns a text in lower case and without accents, as texts are compared that people type from memory. */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase()
  if (isAscii(lower)) return lower
  return lower
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(plainLetter, (letter) => plainLetters[letter] ?? letter)
}
