import type { StandardSchema } from "./StandardSchema.ts"

/** The default type of a client's events: any event name, with any properties. */
export interface AnyEvents {
  readonly [name: string]: object | undefined
}

/** The names of the events that a client declares. */
export type EventName<Events> = keyof Events & string

/** The properties of an event. The properties can be left out if the event requires no properties. */
export type EventProperties<Properties> = [Properties] extends [undefined | void]
  ? { readonly properties?: undefined }
  : object extends Properties
    ? { readonly properties?: Properties }
    : { readonly properties: Properties }

/** A schema for each event. The client checks the properties of an event before it sends them. */
export type EventSchemas<Events> = { readonly [Name in keyof Events]: StandardSchema<Events[Name]> }
