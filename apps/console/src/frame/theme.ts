import { useState } from "react"

const themes = ["system", "light", "dark"] as const
export type Theme = (typeof themes)[number]

const storageKey = "inlet.theme"

const isTheme = (text: string | null): text is Theme => themes.some((theme) => theme === text)

const storedTheme = (): Theme => {
  const stored = localStorage.getItem(storageKey)
  return isTheme(stored) ? stored : "system"
}

const show = (theme: Theme): void => {
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}

/** Applies the stored theme. This function must be called before the first render, so that the page does not flash. */
export const showStoredTheme = (): void => show(storedTheme())

/** Returns the theme, and a function that switches to the next theme: system, light, dark. */
export const useTheme = (): readonly [Theme, () => void] => {
  const [theme, setTheme] = useState(storedTheme)
  const switchTheme = (): void => {
    const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system"
    localStorage.setItem(storageKey, next)
    show(next)
    setTheme(next)
  }
  return [theme, switchTheme]
}
