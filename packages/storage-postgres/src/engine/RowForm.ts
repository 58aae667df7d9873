/** How statements change rows by a list of keys: by their location, or by their keys where tables are distributed. */
export type RowForm = "placed" | "keyed"
