/**
 * Replaces the language that the browser reports if it is not a valid language tag. Browsers that run without a locale
 * report `en-US@posix`, and uPlot then fails to load.
 */
export const mendLanguage = (): void => {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" })
  }
}
