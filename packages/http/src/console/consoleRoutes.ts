import { ConsoleApi, consolePath } from "@inlethq/contract/console/ConsoleApi"
import { Effect, FileSystem, Layer, Option, Path } from "effect"
import {
  HttpPlatform,
  HttpRouter,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse,
  HttpStaticServer,
} from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { etagOf, isKnownTag } from "../entityTags.ts"
import { problemAnswers } from "../problems/problems.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { ShippedFiles } from "../ShippedFiles.ts"
import { compressedAssets } from "./compressedAssets.ts"
import { secured } from "./securityHeaders.ts"
import { oidcRoutes } from "./oidcRoutes.ts"
import { sessionHandlers } from "./session.ts"

const assetsPath = `${consolePath}/assets`

const toConsole = HttpServerResponse.redirect(`${consolePath}/`, {
  status: 302,
  headers: { "cache-control": "no-store" },
})

/** The page that is served if the console has not been built. */
const notBuilt = HttpServerResponse.html(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Inlet</title>
<p>The console has not been built. Run <code>pnpm --filter @inlethq/console build</code>, then reload this page.</p>
<p>The server works without the console.</p>
</html>
`).pipe(HttpServerResponse.setStatus(503), HttpServerResponse.setHeader("cache-control", "no-store"))

/**
 * GET `/console/`: serves the web page for operators. Every path below `/console/` that does not name a file gets the
 * same page, because the page itself turns the path into a view.
 */
const files = (folder: string) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const assets = yield* HttpStaticServer.make({
        root: path.join(folder, "assets"),
        index: undefined,
        cacheControl: "public, max-age=31536000, immutable",
      })
      const others = yield* HttpStaticServer.make({
        root: folder,
        index: undefined,
        cacheControl: "no-cache",
      })
      const page = yield* indexPage(path.join(folder, "index.html"))
      const asset = compressedAssets(assets).pipe(Effect.catch(HttpServerRespondable.toResponse))
      const otherFile = others.pipe(Effect.catch(() => page))
      yield* router.add("GET", "/", toConsole)
      yield* router.add("GET", `${consolePath}/index.html`, toConsole)
      // The router also uses this route for `/console`, without a slash at the end.
      yield* router.add("GET", `${consolePath}/*`, ({ url }) =>
        /^\/console($|\?)/.test(url) ? Effect.succeed(toConsole) : Effect.map(page, secured),
      )
      yield* router.prefixed(consolePath).add("GET", "/:file", Effect.map(otherFile, secured))
      yield* router.prefixed(assetsPath).add("GET", "/*", Effect.map(asset, secured))
    }),
  )

const session = HttpApiBuilder.layer(ConsoleApi).pipe(
  Layer.provide(sessionHandlers),
  Layer.provide(problemAnswers),
)

/** The routes of the console. There are none with `INLET_CONSOLE=off`, and in a program that has no console. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { console, oidc } = yield* HttpSettings
    const { console: folder, system } = yield* ShippedFiles
    if (!console || folder === null) return Layer.empty
    const pages = files(folder)
    return Layer.mergeAll(
      system === null ? pages : pages.pipe(Layer.provide(readWith(system))),
      session,
      Option.match(oidc, { onNone: () => Layer.empty, onSome: oidcRoutes }),
    )
  }),
)

/** The platform as it would be if these were its files. */
const readWith = (system: FileSystem.FileSystem) =>
  HttpPlatform.layer.pipe(Layer.provideMerge(Layer.succeed(FileSystem.FileSystem, system)))

/**
 * Returns the handler of `index.html`. The entity tag is a digest of the content. A tag made of size and modification
 * time could be the same for two releases, because all files of an npm package have the same time.
 */
const indexPage = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  return HttpServerRequest.HttpServerRequest.use(({ headers }) =>
    files.readFileString(file).pipe(
      Effect.map((text) => {
        const caching = { etag: etagOf(text), "cache-control": "no-cache" }
        return isKnownTag(headers["if-none-match"], caching.etag)
          ? HttpServerResponse.empty({ status: 304, headers: caching })
          : HttpServerResponse.text(text, { contentType: "text/html; charset=utf-8", headers: caching })
      }),
      Effect.catch(() => Effect.succeed(notBuilt)),
    ),
  )
})
