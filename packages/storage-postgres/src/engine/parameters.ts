/**
 * A value that can be bound to a statement. Numbers are bound as `bigint`, so they must be safe integers. Strings take
 * the type that the statement expects.
 */
export type Scalar = null | boolean | number | string | Uint8Array

/** An array that can be bound to a statement, for example for `unnest`. */
export interface ArrayParameter {
  readonly element: ArrayElement
  readonly values: ReadonlyArray<Scalar>
}

export type ArrayElement = "int8" | "int2" | "bool" | "text" | "bytea"

export type Parameter = Scalar | ArrayParameter

/** Returns a parameter that binds a `bigint[]`. */
export const int8s = (values: ReadonlyArray<number | null>): ArrayParameter => ({ element: "int8", values })

/** Returns a parameter that binds a `smallint[]`. */
export const int2s = (values: ReadonlyArray<number | null>): ArrayParameter => ({ element: "int2", values })

/** Returns a parameter that binds a `boolean[]`. */
export const bools = (values: ReadonlyArray<boolean | null>): ArrayParameter => ({ element: "bool", values })

/** Returns a parameter that binds a `text[]`. */
export const texts = (values: ReadonlyArray<string | null>): ArrayParameter => ({ element: "text", values })

/** Returns a parameter that binds a `bytea[]`. */
export const byteas = (values: ReadonlyArray<Uint8Array | null>): ArrayParameter => ({
  element: "bytea",
  values,
})
