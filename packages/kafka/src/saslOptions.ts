import type { SASLMechanismValue, SASLOptions, saslScramSha } from "@platformatic/kafka"
import { Redacted } from "effect"
import type { KafkaConnection, SaslMechanism } from "./KafkaConnection.ts"
import { kafkaTexts } from "./kafkaTexts.ts"

/**
 * The largest number of times that a broker may have the password hashed. Kafka itself allows 4096 to 16,384. The
 * hashing runs on the thread pool of the process, which also syncs the embedded store.
 */
const iterationsMax = 100_000

const mechanisms: Readonly<Record<SaslMechanism, SASLMechanismValue>> = {
  plain: "PLAIN",
  "scram-sha-256": "SCRAM-SHA-256",
  "scram-sha-512": "SCRAM-SHA-512",
}

const hashes = { "scram-sha-256": "SHA-256", "scram-sha-512": "SHA-512" } as const

/** Returns how the client library signs in. */
export const saslOptions = async ({
  mechanism,
  password,
  username,
}: NonNullable<KafkaConnection["sasl"]>): Promise<SASLOptions> => {
  const credentials = { mechanism: mechanisms[mechanism], username, password: Redacted.value(password) }
  if (mechanism === "plain") return credentials
  const { AuthenticationError, saslScramSha } = await import("@platformatic/kafka")
  const crypto: saslScramSha.ScramCryptoModule = {
    ...saslScramSha.defaultCrypto,
    hi: async (definition, secret, salt, iterations) => {
      if (iterations > iterationsMax) {
        throw new AuthenticationError(kafkaTexts.tooManyIterations({ iterations, max: iterationsMax }))
      }
      return saslScramSha.defaultCrypto.hi(definition, secret, salt, iterations)
    },
  }
  return {
    ...credentials,
    authenticate: (_mechanism, connection, send, _username, _password, _token, callback) =>
      saslScramSha.authenticate(
        send,
        connection,
        hashes[mechanism],
        credentials.username,
        credentials.password,
        crypto,
        callback,
      ),
  }
}
