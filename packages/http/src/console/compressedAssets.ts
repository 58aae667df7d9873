import { Effect } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * Content encodings, best first, each with a file extension. For every asset, the build of the console writes a
 * compressed copy in each encoding.
 */
const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const

/** The content types of the assets that the build compresses. */
const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
}

type Files = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  HttpServerError.HttpServerError,
  HttpServerRequest.HttpServerRequest
>

/** Responds with a compressed copy of an asset, if a copy exists in an encoding that the client accepts. */
export const compressedAssets = (files: Files): Files =>
  HttpServerRequest.HttpServerRequest.use((request) => {
    const path = request.url.replace(/\?.*$/, "")
    const contentType = contentTypes[/\.(\w+)$/.exec(path)?.[1] ?? ""]
    if (contentType === undefined) return files
    const accepted = encodings.filter(([name]) => accepts(request.headers["accept-encoding"], name))
    return accepted
      .reduceRight(
        (otherwise: Files, [name, extension]) =>
          files.pipe(
            Effect.provideService(
              HttpServerRequest.HttpServerRequest,
              request.modify({ url: `${path}${extension}` }),
            ),
            Effect.map(
              HttpServerResponse.setHeaders({ "content-type": contentType, "content-encoding": name }),
            ),
            Effect.catchIf(isNotFound, () => otherwise),
          ),
        files,
      )
      .pipe(Effect.map(HttpServerResponse.setHeader("vary", "accept-encoding")))
  })

const isNotFound = (error: HttpServerError.HttpServerError): boolean => error.reason._tag === "RouteNotFound"

/** Returns true if an `Accept-Encoding` header contains an encoding, unless `q=0` excludes it. */
const accepts = (header: string | undefined, encoding: string): boolean =>
  (header ?? "").split(",").some((part) => {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
