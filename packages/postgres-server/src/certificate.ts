import { generateKeyPairSync, randomBytes, sign } from "node:crypto"

/** A self-signed certificate and its key, in PEM. */
export interface Pem {
  readonly cert: string
  readonly key: string
}

/**
 * Returns a new certificate for 127.0.0.1 and a host name. The certificate is valid until 2049. Node has no function
 * that creates certificates, so the certificate is encoded here.
 */
export const makeCertificate = (commonName: string, host = "localhost"): Pem => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(set(sequence(objectId("550403"), der(0x0c, Buffer.from(commonName)))))
  const serial = Buffer.concat([Buffer.from([1]), randomBytes(8)])
  const unsigned = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))), // version 3
    der(0x02, serial),
    ecdsaWithSha256,
    name,
    sequence(utcTime("200101000000Z"), utcTime("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(objectId("551d11"), der(0x04, alternativeNames(host))))),
  )
  const signature = sign("sha256", unsigned, privateKey)
  const certificate = sequence(unsigned, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? []
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

/** Encodes a value in DER as tag, length and content. */
const der = (tag: number, ...content: ReadonlyArray<Uint8Array>): Buffer => {
  const bytes = Buffer.concat(content)
  const length =
    bytes.length < 128
      ? [bytes.length]
      : bytes.length < 256
        ? [0x81, bytes.length]
        : [0x82, bytes.length >> 8, bytes.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), bytes])
}

const sequence = (...content: ReadonlyArray<Uint8Array>) => der(0x30, ...content)
const set = (...content: ReadonlyArray<Uint8Array>) => der(0x31, ...content)
const objectId = (hex: string) => der(0x06, Buffer.from(hex, "hex"))
const utcTime = (text: string) => der(0x17, Buffer.from(text))

const ecdsaWithSha256 = sequence(objectId("2a8648ce3d040302"))

const alternativeNames = (host: string) =>
  sequence(der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1])))
