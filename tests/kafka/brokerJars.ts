import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

const pomFile = fileURLToPath(new URL("pom.xml", import.meta.url))

/** Returns the folder with the jar files of the broker. Downloads them with Maven if they are not cached. */
export const brokerJars = async (): Promise<string> => {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache")
  const version = createHash("sha256").update(readFileSync(pomFile)).digest("hex").slice(0, 12)
  const folder = join(cache, "inlet-tests", `kafka-${version}`)
  if (existsSync(folder)) return folder
  const download = `${folder}.${process.pid}`
  mkdirSync(download, { recursive: true })
  try {
    const goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"
    await run("mvn", ["-q", "-B", "-f", pomFile, goal, `-DoutputDirectory=${download}`])
    // A folder with this name is complete, because it gets the name only after the download. Another process may have
    // finished first.
    if (!existsSync(folder)) renameSync(download, folder)
    return folder
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}
