import { useEffect, useState } from "react"

/** The number of milliseconds for which a copy button shows that the text was copied. */
const copiedMs = 1_500

/** Returns whether the text was copied in the last `copiedMs` milliseconds, and a function that copies the text. */
export const useCopying = (text: string): readonly [boolean, () => void] => {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), copiedMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => {
    void copyText(text).then(setCopied)
  }
  return [isCopied, copy]
}

/** Copies a text. Returns whether it was copied. */
const copyText = async (text: string): Promise<boolean> => {
  // Browsers offer the clipboard only on https and on localhost. Elsewhere, an older method copies the text.
  if (navigator.clipboard !== undefined) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement("textarea")
  area.value = text
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand("copy")
  area.remove()
  return isCopied
}
