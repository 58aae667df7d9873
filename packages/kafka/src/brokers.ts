/** The address of a Kafka broker. */
export interface Broker {
  readonly host: string
  readonly port: number
}

/** A host name, an IPv4 address, or an IPv6 address in brackets, and a port. */
const brokerShape = /^(?<host>[A-Za-z0-9_.-]+|\[[0-9A-Fa-f:.]+\]):(?<port>\d{1,5})$/

/** Reads brokers that are separated by commas. Returns undefined if one of them is invalid. */
export const parseBrokers = (text: string): ReadonlyArray<Broker> | undefined => {
  const brokers = text.split(",").map((one) => parseBroker(one.trim()))
  return brokers.every((broker) => broker !== undefined) ? brokers : undefined
}

const parseBroker = (text: string): Broker | undefined => {
  const { host, port } = brokerShape.exec(text)?.groups ?? {}
  const number = Number(port)
  if (host === undefined || number < 1 || number > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ""), port: number }
}
