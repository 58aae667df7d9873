// Downloads a file from a repository of Maven into the user's cache, once for each version.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"

const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "inlet-tools")

/** Returns the path of the file of an artifact, or why it cannot be downloaded within `seconds`. It needs Java and Maven. */
export const mavenTool = ({ artifact, group, seconds, version }) => {
  const name = `${artifact}-${version}.jar`
  const file = join(cache, name)
  if (existsSync(file)) return { file }
  if (spawnSync("java", ["-version"]).status !== 0) return { missing: "Java is not installed." }
  if (spawnSync("mvn", ["--version"]).status !== 0) return { missing: "Maven is not installed." }
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "download-"))
  try {
    const { signal, status, stdout } = spawnSync(
      "mvn",
      [
        "--batch-mode",
        "--quiet",
        "dependency:copy",
        `-Dartifact=${group}:${artifact}:${version}`,
        `-DoutputDirectory=${folder}`,
      ],
      { cwd: folder, encoding: "utf8", timeout: seconds * 1000 },
    )
    if (signal !== null) return { missing: `${name} was not downloaded within ${seconds} s.` }
    if (status !== 0) return { missing: `${name} was not downloaded: ${stdout.trim().split("\n").at(-1)}` }
    renameSync(join(folder, name), file)
    return { file }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
