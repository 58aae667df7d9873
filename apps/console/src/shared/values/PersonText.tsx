import { calledName } from "@inlethq/contract/people/calledName"
import { personName, type Named } from "./personName.ts"

interface PersonTextProps {
  readonly person: Named & {
    /** The name that the server read from the attributes. */
    readonly name?: string | null
    readonly attributes?: Readonly<Record<string, unknown>>
    /** What names somebody who was merged into the person. */
    readonly formerly?: string
  }
}

/** A person in a line of text: the name, if they have one, and what identifies them. */
export const PersonText = ({ person }: PersonTextProps) => {
  const name = nameOf(person)
  const identifier = personName(person)
  return (
    <>
      {name === null ? identifier : name}{" "}
      {name === null ? null : <span className="text-muted">{identifier}</span>}
      {person.formerly === undefined ? null : (
        <span className="text-muted"> · {person.formerly} was merged into them</span>
      )}
    </>
  )
}

const nameOf = ({ attributes = {}, name }: PersonTextProps["person"]): string | null =>
  name === undefined ? calledName(attributes) : name
