import { Context } from "effect"

/**
 * The folder with the built files of the console: `index.html`, and the folder `assets`. The names of assets contain a
 * hash of their content. Null if the program has no console.
 */
export const ConsoleFolder = Context.Reference<string | null>("@inlet/http/console/ConsoleFolder", {
  defaultValue: () => null,
})
