import { useNavigate } from "@tanstack/react-router"
import { SearchLine } from "./SearchLine.tsx"

interface ListSearchProps {
  /** The names of the items, in the plural, such as "forms". */
  readonly of: string
  readonly placeholder: string
  readonly q: string | undefined
}

/** The search above a list, whose text is the query parameter `q` of the page. */
export const ListSearch = ({ of, placeholder, q }: ListSearchProps) => {
  const navigate = useNavigate()
  return (
    <SearchLine
      label={`Search ${of}`}
      onSearch={(text) => void navigate({ to: ".", search: text === "" ? {} : { q: text }, replace: true })}
      placeholder={placeholder}
      text={q ?? ""}
    />
  )
}
