const pattern = /^((?:new_cause|error_rate|lag|silent)-[0-9a-f]{16})\.\d+$/

/** The id of the alert in the id of an event that tells of one. Undefined for every other event. */
export const alertIdIn = (eventId: string): string | undefined => pattern.exec(eventId)?.[1]
