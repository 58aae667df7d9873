import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { BlockList } from "node:net"
import { addSubnet, isAllowedAddress } from "../../src/addressRules.ts"
import { ipVersion } from "../../src/ipVersion.ts"
import { isAllowedUrl, literalAddress, parseTargetUrl } from "../../src/sending/targetUrl.ts"

const subnets = (...texts: ReadonlyArray<string>): BlockList => {
  const list = new BlockList()
  for (const text of texts) assert.isTrue(addSubnet(list, text), text)
  return list
}

const isPublic = (text: string) => isAllowedAddress(text, subnets())

const byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

const hex = (high: number, low: number) => (high * 256 + low).toString(16)

const bits = (all: ReadonlyArray<number>) => all.map((one) => one.toString(2).padStart(8, "0")).join("")

describe("the addresses that webhooks may connect to", () => {
  it.each([
    "1.1.1.1",
    "93.184.216.34",
    "100.63.255.255",
    "172.32.0.1",
    "2606:4700::1111",
    "2a00:1450:4001::1",
  ])("contract §17 addresses: webhooks may connect to public addresses (%s)", (address) =>
    assert.isTrue(isPublic(address)),
  )

  it.each([
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.255",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "64:ff9b:1::1",
    "100::1",
    "4000::1",
  ])("contract §17 addresses: webhooks may not connect to an address that is not public (%s)", (address) =>
    assert.isFalse(isPublic(address)),
  )

  it.each([
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "2002:7f00:1::",
  ])(
    "contract §17 addresses: webhooks may not connect to an IPv6 form of a private IPv4 address (%s)",
    (address) => assert.isFalse(isPublic(address)),
  )

  it.each(["::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::"])(
    "webhooks may connect to the IPv6 forms of public IPv4 addresses (%s)",
    (address) => assert.isTrue(isPublic(address)),
  )

  it.each([
    "",
    "localhost",
    "1.1.1",
    "1.1.1.256",
    "01.1.1.1",
    "1.1.1.1.1",
    "fe80::1%eth0",
    "1::2::3",
    ":::",
    "12345::",
    "[1.1.1.1]",
  ])("webhooks may not connect to a text that is not an IP address (%j)", (address) =>
    assert.isFalse(isPublic(address)),
  )

  it("contract §17 addresses: webhooks may connect to the subnets that the operator allows, and to the IPv6-mapped forms of their addresses", () => {
    const allowed = subnets("10.1.0.0/16", "fd00::/8", "127.0.0.1")
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "127.0.0.1", "1.1.1.1"]) {
      assert.isTrue(isAllowedAddress(address, allowed), address)
    }
    for (const address of ["10.2.0.1", "127.0.0.2", "fc00::1", "64:ff9b::10.1.2.3", "::ffff:10.2.0.1"]) {
      assert.isFalse(isAllowedAddress(address, allowed), address)
    }
  })

  it.prop(
    "the IPv6-mapped forms of an IPv4 address are allowed if and only if the IPv4 address is allowed",
    { a: byte, b: byte, c: byte, d: byte },
    ({ a, b, c, d }) => {
      const dotted = `${a}.${b}.${c}.${d}`
      const expected = isPublic(dotted)
      return (
        isPublic(`::ffff:${dotted}`) === expected && isPublic(`::FFFF:${hex(a, b)}:${hex(c, d)}`) === expected
      )
    },
  )

  it.prop(
    "an IP address belongs to a subnet if the address begins with the bits of the subnet",
    {
      bytes: Schema.Tuple([byte, byte, byte, byte]),
      prefix: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 32 })),
    },
    ({ bytes, prefix }) => {
      const other = [bytes[3], bytes[1], bytes[2], bytes[0]]
      const expected = bits(bytes).slice(0, prefix) === bits(other).slice(0, prefix)
      const list = subnets("255.255.255.255")
      addSubnet(list, `${bytes.join(".")}/${prefix}`)
      return list.check(other.join("."), "ipv4") === expected
    },
  )

  it.prop(
    "the check of a receiver's address does not throw, whatever the text",
    { text: Schema.String },
    ({ text }) => {
      addSubnet(new BlockList(), text)
      return ipVersion(text) !== undefined || !isPublic(text)
    },
  )

  it.each(["", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/-1", "ten"])(
    "a text that is not a subnet allows no address (%j)",
    (text) => assert.isFalse(addSubnet(new BlockList(), text)),
  )
})

describe("the URL of a webhook", () => {
  it.each([
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://0x7f.0.0.1/",
    "http://%31%32%37.0.0.1/",
    "http://１２７.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:7f00:1]/",
    "http://127.0.0.1./",
  ])(
    "contract §17 addresses: the URL of a webhook cannot be another spelling of a loopback address (%s)",
    (text) => {
      const url = Result.getOrThrow(parseTargetUrl(text))
      assert.isNotNull(literalAddress(url))
      assert.isFalse(isAllowedUrl(url, subnets()))
    },
  )

  it.each([
    "",
    "example.com",
    "/hook",
    "ftp://example.com",
    "file:///etc/passwd",
    "javascript:0",
    "http://",
    "http://256.1.1.1/",
  ])("contract §17 addresses: the URL of a webhook must be an http or https URL (%j)", (text) =>
    assert.match(Result.getOrThrow(Result.flip(parseTargetUrl(text))), /must be an http or https URL/),
  )

  it.each(["http://user@example.com/", "https://user:pass@example.com/", "http://:pass@example.com/"])(
    "contract §17 addresses: the URL of a webhook cannot contain credentials (%s)",
    (text) => assert.match(Result.getOrThrow(Result.flip(parseTargetUrl(text))), /user name or a password/),
  )

  it("the URL of a webhook cannot be longer than 2048 characters", () => {
    assert.isTrue(Result.isFailure(parseTargetUrl(`http://a.com/${"x".repeat(2048)}`)))
  })
})
