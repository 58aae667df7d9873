import { execFileSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../", import.meta.url))

/** The server of another commit, built in a temporary worktree of this repository. */
export class OtherBuild {
  /** The abbreviated commit. */
  readonly commit: string
  /** The folder of the worktree, where `dist/server.js` is the bundle that `pnpm start` runs. */
  readonly folder: string

  /** Builds the commit that `ref` names. Fails if git does not know it, or if it cannot be installed or bundled. */
  constructor(ref: string) {
    this.commit = git("rev-parse", "--short", "--verify", "--end-of-options", `${ref}^{commit}`)
    this.folder = mkdtempSync(join(tmpdir(), `inlet-${this.commit}-`))
    try {
      git("worktree", "add", "--detach", "--quiet", this.folder, this.commit)
      this.run("npx", ["-y", "pnpm@12", "install", "--frozen-lockfile"])
      // Commits from before the folder `tools` have the configuration at their root.
      const tsdown = join(this.folder, "node_modules/.bin/tsdown")
      const configs = ["tools/build/tsdown.start.ts", "tsdown.start.ts"]
      const config = configs.find((path) => existsSync(join(this.folder, path))) ?? ""
      this.run(tsdown, ["--config", config, "--log-level", "warn"])
    } catch (cause) {
      this.remove()
      throw cause
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
    git("worktree", "prune")
  }

  private run(command: string, args: ReadonlyArray<string>): void {
    execFileSync(command, args, { cwd: this.folder, stdio: ["ignore", "ignore", "inherit"] })
  }
}

const git = (...args: ReadonlyArray<string>): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()
