/** What the palette does in a dialog. */
export type PaletteAction = "send" | "unsuppress" | "key" | "workspace" | "switch"

/** What the dialog of an action is given. The frame gets this dialog from the router, because it is made of pages. */
export interface ActionDialogProps {
  readonly action: PaletteAction
  readonly onClose: () => void
}
