import { env } from "node:process"

/**
 * Returns whether text written to a stream may have colours. `NO_COLOR` turns colours off, and `FORCE_COLOR` turns them on, or
 * off with `0` and `false`. Without either, terminals have colours unless `TERM` is `dumb`.
 */
export const hasColour = ({ isTTY }: { readonly isTTY?: boolean }): boolean => {
  const { FORCE_COLOR: forced = "", NO_COLOR: off = "", TERM: terminal } = env
  if (off !== "") return false
  if (forced !== "") return !["0", "false"].includes(forced.toLowerCase())
  return isTTY === true && terminal !== "dumb"
}
