/** A value that a statement binds. Numbers bind as `bigint`, so they must be safe integers. Texts take the type that the statement expects. */
export type Scalar = null | boolean | number | string | Uint8Array

/** An array that a statement binds, for example to `unnest`. */
export interface ArrayParameter {
  readonly element: ArrayElement
  readonly values: ReadonlyArray<Scalar>
}

export type ArrayElement = "int8" | "int2" | "bool" | "text" | "bytea"

export type Parameter = Scalar | ArrayParameter

/** Binds a `bigint[]`. */
export const int8s = (values: ReadonlyArray<number | null>): ArrayParameter => ({ element: "int8", values })

/** Binds a `smallint[]`. */
export const int2s = (values: ReadonlyArray<number | null>): ArrayParameter => ({ element: "int2", values })

/** Binds a `boolean[]`. */
export const bools = (values: ReadonlyArray<boolean | null>): ArrayParameter => ({ element: "bool", values })

/** Binds a `text[]`. */
export const texts = (values: ReadonlyArray<string | null>): ArrayParameter => ({ element: "text", values })

/** Binds a `bytea[]`. */
export const byteas = (values: ReadonlyArray<Uint8Array | null>): ArrayParameter => ({
  element: "bytea",
  values,
})
