import type { WrittenBrand } from "@inlethq/wire/texts/WrittenBrand"
import type { Region } from "@inlethq/core/workspace/Workspace"
import { Context, type Option } from "effect"

/** Access to `/metrics`: only with the management token, for everyone, or for no one. */
export type MetricsAccess = "token" | "open" | "off"

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
    /** True if the server serves the console. */
    readonly console: boolean
    readonly tls: Option.Option<TlsFiles>
    /** True if Pipelines responses list the outcomes of calls when a request asks for them. */
    readonly outcomes: boolean
    readonly brand: WrittenBrand
    readonly region: Region
    readonly peerUrl: Option.Option<URL>
    readonly publicUrl: Option.Option<URL>
  }
>()("@inlethq/http/HttpSettings") {}
