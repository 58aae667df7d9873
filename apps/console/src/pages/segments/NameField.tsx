import { Button } from "../../shared/buttons/Button.tsx"
import { counted } from "../../shared/values/figures.ts"
import { Nothing } from "./ConditionFields.tsx"
import type { KindFieldsProps } from "./KindFieldsProps.ts"
import { useKnownNames, useKnownTopics } from "./knownRows.ts"
import { nothingIsNamed } from "./sampledValues.ts"
import { SuggestField } from "./SuggestField.tsx"

const placeholders = {
  event: "Order Placed",
  page: "/pricing*",
  screen: "Checkout",
  form: "newsletter",
  relationship: "1",
  subscription: "topic_1",
} as const

const nouns = {
  event: ["event", "has this name"],
  page: ["page view", "has this name"],
  screen: ["screen view", "has this name"],
  form: ["form", "has this id"],
  relationship: ["object", "is of this type"],
  subscription: ["person", "has this topic"],
} as const

type NamedKind = keyof typeof nouns

const isNamed = (kind: string): kind is NamedKind => Object.hasOwn(nouns, kind)

/** The name that a row asks for. Offers those that exist, and says if none fits. */
export const NameField = ({ label, onChange, row, w }: KindFieldsProps) => {
  const names = useKnownNames(w, row.kind)
  const topics = useKnownTopics(w, row.kind === "subscription")
  const known = row.kind === "subscription" ? topics : names?.names
  const nothing =
    row.kind !== "subscription" && names?.isWhole === true ? nothingIsNamed(names.names, row.name) : undefined
  const canWiden = row.kind === "event" || row.kind === "page" || row.kind === "screen"
  const kind = isNamed(row.kind) ? row.kind : "event"
  const [noun, isSo] = nouns[kind]
  return (
    <>
      <SuggestField
        className="w-56"
        known={known ?? []}
        label={`${label}: name`}
        onChange={(name) => onChange({ ...row, name })}
        placeholder={placeholders[kind]}
        value={row.name}
      />
      {nothing === undefined ? null : (
        <Nothing
          text={
            `No ${noun} so far ${isSo}.` +
            (nothing.near.length === 0
              ? ""
              : ` ${counted(nothing.near.length, "name contains", "names contain")} it, such as ${nothing.near[0]}.`)
          }
        />
      )}
      {canWiden && nothing?.wider !== undefined ? (
        <Button
          onClick={() => onChange({ ...row, name: nothing.wider ?? row.name })}
        >{`Use ${nothing.wider}`}</Button>
      ) : null}
    </>
  )
}
