import { useEffect, useState } from "react"

/** Returns a text once it has not changed for so many milliseconds, and undefined until then. */
export const useSettledText = (text: string, afterMs: number): string | undefined => {
  const [settled, setSettled] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [afterMs, text])
  return text === settled ? settled : undefined
}
