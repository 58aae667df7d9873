import { readFileSync } from "node:fs"

const name = "virtual:console-colours.css"
const styles = new URL("../../apps/console/src/styles.css", import.meta.url)

/** The variables of the console's themes as a style sheet. */
const colours = (): string => {
  const [block] = /^:root \{.*?^\}/ms.exec(readFileSync(styles, "utf8")) ?? []
  if (block === undefined) throw new Error("the styles of the console have no block of variables")
  return block
}

/** A plugin of Vite that lets style sheets import the colours of the console. */
export const consoleColours = {
  name: "console-colours",
  resolveId: (id: string) => (id === name ? `\0${name}` : undefined),
  load: (id: string) => (id === `\0${name}` ? colours() : undefined),
}
