import { errorText } from "@inlethq/core/log/ErrorText"

/** The oldest version of Node on which Inlet runs: major and minor version. */
const oldest = [22, 19] as const

export const nodeTexts = {
  nodeTooOld: errorText(
    "Inlet needs Node {oldest} or later, and this is Node {found}: install a newer Node",
    "Install a newer Node. `node --version` shows the version that is used.",
  ),
}

/** Returns the error for a version of Node on which Inlet does not run, or undefined. */
export const nodeFault = (found: string): string | undefined => {
  const [major = 0, minor = 0] = found.split(".").map(Number)
  const isNew = major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
  return isNew ? undefined : nodeTexts.nodeTooOld({ oldest: oldest.join("."), found })
}
