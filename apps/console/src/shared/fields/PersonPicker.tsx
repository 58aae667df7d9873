import { Autocomplete } from "@base-ui/react/autocomplete"
import type { PersonDocument } from "@inlethq/contract/people/People"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { inputStyle } from "./Field.tsx"
import { counted } from "../values/figures.ts"
import { findPeople } from "./findPeople.ts"
import { personName } from "../values/personName.ts"
import { PersonText } from "../values/PersonText.tsx"
import { useEntered } from "./useEntered.ts"

/** The largest number of people that the search shows. */
const foundMax = 5

interface PersonPickerProps {
  readonly w: string
  readonly label: string
  /** The `svc_id` of a person who cannot be chosen. */
  readonly except?: string
  readonly onPick: (person: PersonDocument) => void
  /** True in a page: the field does not take the focus by itself, and is empty again after a choice. False in a dialog. */
  readonly isPart?: boolean
}

/** Searches people as the operator types. The arrow keys and Enter, or a click, choose a person. */
export const PersonPicker = ({ except, isPart = false, label, onPick, w }: PersonPickerProps) => {
  const id = useId()
  const [text, setText] = useState("")
  const found = usePeopleFound(w, text.trim(), except)
  const { isStale, people, problem } = found
  const pick = (person: PersonDocument): void => {
    if (isPart) setText("")
    onPick(person)
  }
  const entered = useEntered({ items: people, isStale }, pick)
  return (
    <Autocomplete.Root
      autoHighlight="always"
      inline
      itemToStringValue={personName}
      items={people}
      keepHighlight
      mode="none"
      onItemHighlighted={entered.onHighlighted}
      onValueChange={(typed, { reason }) => {
        if (reason === "item-press") return
        setText(typed)
        entered.onTyped()
      }}
      open
      value={text}
    >
      <div className="space-y-1">
        <label className="block text-sm font-medium" htmlFor={id}>
          {label}
        </label>
        <Autocomplete.Input
          aria-describedby={`${id}-help`}
          autoFocus={!isPart}
          className={inputStyle}
          id={id}
          onKeyDown={(event) => {
            if (event.key === "Enter" && entered.onEnter()) event.preventBaseUIHandler()
          }}
          spellCheck={false}
        />
        <p className="text-xs text-muted" id={`${id}-help`}>
          The start of an id, email or name, a svc_id, or an anonymous id.
        </p>
        {problem === undefined ? null : (
          <p className="text-xs text-red" role="alert">
            {problem}
          </p>
        )}
      </div>
      <div className={isPart ? "" : "mt-4 min-h-40"}>
        <PeopleFound onPick={pick} />
        <p className="text-sm text-muted" role="status">
          {isStale || text.trim() === "" ? "" : endText(found)}
        </p>
      </div>
    </Autocomplete.Root>
  )
}

const PeopleFound = ({ onPick }: Pick<PersonPickerProps, "onPick">) => (
  <Autocomplete.List aria-label="People found" className="empty:hidden">
    {(person: PersonDocument) => (
      <Autocomplete.Item
        className="flex h-8 cursor-pointer items-center gap-3 rounded-md px-2 text-sm data-highlighted:bg-selected pointer-coarse:h-11"
        key={person.svc_id}
        onClick={() => onPick(person)}
        value={person}
      >
        <span className="truncate">
          <PersonText person={person} />
        </span>
        <span className="ml-auto font-mono text-xs text-faint">{person.svc_id}</span>
      </Autocomplete.Item>
    )}
  </Autocomplete.List>
)

/** Says that nobody was found, or among how many people if a search by attribute has not come to its end. */
const endText = ({ hasMore, people, searched }: ReturnType<typeof usePeopleFound>): string => {
  if (people.length > 0) return hasMore ? "More people are found: type more of it." : ""
  return searched === undefined
    ? "Nobody found."
    : `Nobody among the newest ${counted(searched, "person", "people")}. Older ones were not looked at.`
}

const usePeopleFound = (w: string, text: string, except: string | undefined) => {
  const found = useQuery({
    queryKey: [w, "people", "find", text],
    queryFn: ({ signal }) => findPeople(w, text, {}, signal),
    enabled: text !== "",
    placeholderData: keepPreviousData,
  })
  const page = text === "" ? undefined : found.data
  const people = page?.items.filter(({ svc_id }) => svc_id !== except) ?? []
  const isWhole = page?.next == null
  return {
    people: people.slice(0, foundMax),
    /** Whether more people match than are listed. */
    hasMore: people.length > foundMax || (people.length > 0 && !isWhole),
    /** How many people a search that has not come to its end looked at. */
    searched: isWhole ? undefined : page.searched,
    isStale: text !== "" && !found.isError && (found.isPending || found.isPlaceholderData),
    problem: found.error?.message,
  }
}
