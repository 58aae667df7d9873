// Builds the console into `dist`, with compressed copies of its assets. With `--if-changed`, builds only if a source
// has changed since the last build, and exits with 0 even if the build fails, because the server also runs without the
// console.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { filesIn, isBuilt, runBuild } from "../../tools/build/buildRecord.ts"

const folder = import.meta.dirname
const root = join(folder, "../..")

/** The files and folders that a build reads. The page contains parts of these packages. */
const sources = [
  ...["src", "public", "index.html", "vite.config.ts", "package.json", "build.ts"].map((name) =>
    join(folder, name),
  ),
  ...[
    "packages/contract/src",
    "packages/core/src",
    "packages/log/src",
    "packages/wire/src",
    "pnpm-lock.yaml",
    "tools/build/buildRecord.ts",
  ].map((name) => join(root, name)),
]

/** Assets below this size are not compressed, because a copy would hardly be smaller. */
const compressedBytesMin = 1024

const compressAssets = (): void => {
  for (const file of filesIn(join(folder, "dist/assets")).filter((name) => /\.(js|css|svg)$/.test(name))) {
    const content = readFileSync(file)
    if (content.length < compressedBytesMin) continue
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
    const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params: quality }))
  }
}

const build = async (): Promise<void> => {
  // Vitest sets NODE_ENV to "test". Vite would then bundle the development build of React.
  process.env["NODE_ENV"] = "production"
  // Vite is loaded only for a build, because loading it takes longer than the check for changes.
  const vite = await import("vite")
  await vite.build({ root: folder, logLevel: "warn" })
  compressAssets()
}

const page = {
  sources,
  outputs: () => [join(folder, "dist/index.html")],
  record: join(folder, "node_modules/.cache/inlet/sources.sha256"),
}
if (!process.argv.includes("--if-changed")) await runBuild(page, build)
else if (process.env["INLET_CONSOLE"]?.trim().toLowerCase() !== "off" && !isBuilt(page)) {
  await runBuild(page, build).catch((cause: unknown) =>
    console.error("The console could not be built:", cause),
  )
}
