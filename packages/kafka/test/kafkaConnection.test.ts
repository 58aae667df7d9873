import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { hostsReceivingPassword, type SaslMechanism } from "../src/KafkaConnection.ts"

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
  it("a connection to Kafka sends its password unencrypted only to another machine, with the mechanism plain and without TLS", () => {
    const plain = { brokers, tls: null, sasl: sasl("plain") }
    assert.deepStrictEqual(hostsReceivingPassword(plain), ["kafka1", "10.0.0.7", "127.example.com"])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, tls: { authorities: null } }), [])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, sasl: sasl("scram-sha-256") }), [])
    assert.deepStrictEqual(hostsReceivingPassword({ ...plain, sasl: null }), [])
  })
})
