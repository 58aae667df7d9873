import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)

const pomFile = fileURLToPath(new URL("pom.xml", import.meta.url))

/** Returns the folder with the jars of the broker. Downloads them with Maven if the cache does not have them. */
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
    // A renamed folder is complete. Another run may have been faster.
    if (!existsSync(folder)) renameSync(download, folder)
    return folder
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}
