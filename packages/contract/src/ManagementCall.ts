import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { ManagementApi } from "./ManagementApi.ts"

// Types only: a client that uses nothing else of this package loads no schema.

type Groups = typeof ManagementApi extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never

type Endpoint<Group extends string, Name extends string> = HttpApiEndpoint.WithIdentifier<
  HttpApiGroup.Endpoints<HttpApiGroup.WithIdentifier<Groups, Group>>,
  Name
>

/** The JSON of a schema, before the codec of its place in a request or an answer. */
type JsonOf<Codec> = Codec extends { readonly schema: { readonly Encoded: infer Json } } ? Json : never

type OrUndefined<Fields> = { readonly [Key in keyof Fields]: Fields[Key] | undefined }

/** The query of an endpoint, as it is written in an address. Undefined values are left out. */
export type QueryOf<Group extends string, Name extends string> = OrUndefined<
  JsonOf<HttpApiEndpoint.Query<Endpoint<Group, Name>>>
>

/** The JSON that an endpoint expects as body. */
export type BodyOf<Group extends string, Name extends string> = JsonOf<
  HttpApiEndpoint.Payload<Endpoint<Group, Name>>
>

/** The JSON that an endpoint answers. */
export type AnswerOf<Group extends string, Name extends string> = JsonOf<
  HttpApiEndpoint.Success<Endpoint<Group, Name>>
>
