import { Authorization } from "@inlethq/contract/access/Authorization"
import { ManagementApi } from "@inlethq/contract/ManagementApi"
import { Context, Layer, Redacted } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"

/** The address of a server, and its management token. */
export interface ManagementClientOptions {
  readonly url: string
  readonly token: Redacted.Redacted
}

/** The groups of the management API, each with one method for each of its endpoints. */
export interface ManagementMethods extends HttpApiClient.ForApi<typeof ManagementApi> {}

/** A client of the management API, with one typed method for each endpoint. */
export class ManagementClient extends Context.Service<ManagementClient, ManagementMethods>()(
  "@inlethq/sdk/management/ManagementClient",
) {
  static readonly layer = ({ token, url }: ManagementClientOptions) =>
    Layer.effect(
      this,
      HttpApiClient.make(ManagementApi, {
        transformClient: HttpClient.mapRequest(HttpClientRequest.prependUrl(url)),
      }),
    ).pipe(
      Layer.provide(
        HttpApiMiddleware.layerClient(Authorization, ({ next, request }) =>
          next(HttpClientRequest.bearerToken(request, token)),
        ),
      ),
      Layer.provide(FetchHttpClient.layer),
    )
}
