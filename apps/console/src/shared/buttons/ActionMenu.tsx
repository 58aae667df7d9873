import { Menu } from "@base-ui/react/menu"
import { Button } from "./Button.tsx"
import { Icon } from "./Icon.tsx"

interface Action {
  readonly label: string
  readonly onChoose: () => void
  /** True for an action that cannot be undone. */
  readonly isDangerous?: boolean
}

interface ActionMenuProps {
  readonly label: string
  readonly actions: ReadonlyArray<Action>
  /** Why the session may do none of the actions. Undefined if it may. */
  readonly refusal?: string | undefined
}

/** A button that opens a list of actions. */
export const ActionMenu = ({ actions, label, refusal }: ActionMenuProps) =>
  refusal === undefined ? (
    <Actions actions={actions} label={label} />
  ) : (
    <Button refusal={refusal}>
      {label}
      <Icon className="size-3" name="down" />
    </Button>
  )

const Actions = ({ actions, label }: ActionMenuProps) => (
  <Menu.Root>
    <Menu.Trigger className="inline-flex h-8 shrink-0 items-center gap-1.5 rounded-md border border-line bg-raised px-3 text-sm font-medium hover:bg-hover pointer-coarse:h-11">
      {label}
      <Icon className="size-3" name="down" />
    </Menu.Trigger>
    <Menu.Portal>
      <Menu.Positioner align="end" className="z-40" sideOffset={4}>
        <Menu.Popup className="min-w-44 rounded-md border border-line bg-raised p-1 shadow-lg">
          {actions.map(({ isDangerous = false, label: name, onChoose }) => (
            <Menu.Item
              className={`flex h-8 cursor-pointer items-center rounded-sm px-2 text-sm data-highlighted:bg-hover pointer-coarse:h-11 ${isDangerous ? "text-red" : ""}`}
              key={name}
              onClick={onChoose}
            >
              {name}
            </Menu.Item>
          ))}
        </Menu.Popup>
      </Menu.Positioner>
    </Menu.Portal>
  </Menu.Root>
)
