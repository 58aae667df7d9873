import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { hostsReceivingPassword, type SaslMechanism } from "../src/kafka/KafkaConnection.ts"

const brokers = ["localhost", "127.0.0.1", "::1", "kafka1", "10.0.0.7", "127.example.com"].map((host) => ({
  host,
  port: 9092,
}))

const sasl = (mechanism: SaslMechanism) => ({
  mechanism,
  username: "inlet",
  password: Redacted.make("secret"),
})

describe("a connection to Kafka", () => {
  it("a connection sends its password unencrypted only with plain, without TLS, and to other machines", () => {
    const plain = { brokers, tls: null, sasl: sasl("plain") }
    assert.deepStrictEqual(hostsReceivingPassword(plain), ["kafka1", "10.0.0.7", "127.example.com"])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, tls: { authorities: null } }), [])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, sasl: sasl("scram-sha-256") }), [])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, sasl: null }), [])
  })
})
