import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { Region } from "@inlethq/core/workspace/Workspace"
import type { AccessRules } from "@inlethq/contract/access/AccessRules"
import { Context, type Option, type Redacted } from "effect"
import type { BlockList } from "node:net"

/** Access to `/metrics`: only with the management token, for everyone, or for no one. */
export type MetricsAccess = "token" | "open" | "off"

/** Where the App API is served: nowhere, where operators are served, or also where clients send data. */
export type AppApiAccess = "off" | "operator" | "both"

/** An address to listen on. */
export interface Address {
  readonly host: string
  readonly port: number
  /** The environment variable that sets the port. */
  readonly variable: string
}

/** The paths of two PEM files: a certificate with its chain, and its private key. */
export interface TlsFiles {
  readonly certificate: string
  readonly key: string
}

/** How people sign in to the console at an issuer of OpenID Connect. */
export interface OidcSettings {
  readonly issuer: URL
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
  readonly access: AccessRules
  /** The address of the console as browsers know it, to which the issuer sends them back. */
  readonly consoleUrl: URL
}

/** The settings of a server that concern HTTP. */
export class HttpSettings extends Context.Service<
  HttpSettings,
  {
    readonly address: Address
    /**
     * The address of the management API, metrics and health. The option is empty if they share the address of
     * ingestion.
     */
    readonly operatorAddress: Option.Option<Address>
    readonly metrics: MetricsAccess
    readonly appApi: AppApiAccess
    /** True if the server serves the console. */
    readonly console: boolean
    /** True if the console takes management tokens and sign-in links. */
    readonly consoleTokens: boolean
    readonly oidc: Option.Option<OidcSettings>
    readonly tls: Option.Option<TlsFiles>
    /** The subnets of proxies whose `X-Forwarded-For` counts, or null if there are none. */
    readonly trustedProxies: BlockList | null
    /** The database of places, an mmdb file. */
    readonly geoFile: Option.Option<string>
    /** True if Pipelines responses list the outcomes of calls when a request asks for them. */
    readonly outcomes: boolean
    readonly brand: WrittenBrand
    readonly region: Region
    readonly peerUrl: Option.Option<URL>
    readonly publicUrl: Option.Option<URL>
  }
>()("@inlethq/http/HttpSettings") {}
