import type { Redacted } from "effect"
import type { Broker } from "./brokers.ts"

/** The methods by which brokers check the user name and the password. */
export type SaslMechanism = "plain" | "scram-sha-256" | "scram-sha-512"

/** Matches the host names and addresses that mean this machine. */
const loopback = /^(localhost|127(\.\d+){3}|::1)$/i

/**
 * Returns the hosts that receive the password unencrypted over the network. With the mechanism `plain` and without TLS,
 * these are all brokers' hosts except this machine. Otherwise, returns an empty list.
 */
export const hostsReceivingPassword = ({ brokers, sasl, tls }: KafkaConnection): ReadonlyArray<string> => {
  if (sasl?.mechanism !== "plain" || tls !== null) return []
  return brokers.map(({ host }) => host).filter((host) => !loopback.test(host))
}

/** The brokers of a Kafka cluster, and how to connect to them. */
export interface KafkaConnection {
  readonly brokers: ReadonlyArray<Broker>
  /**
   * The TLS settings of all connections, or null for connections without TLS. `authorities` contains PEM certificates
   * that may sign the certificates of brokers. If `authorities` is null, the authorities that Node trusts may sign
   * them.
   */
  readonly tls: { readonly authorities: string | null } | null
  readonly sasl: {
    readonly mechanism: SaslMechanism
    readonly username: string
    readonly password: Redacted.Redacted
  } | null
}
