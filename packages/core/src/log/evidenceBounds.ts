/** The most operations that a pair names. */
export const pairOperationsMax = 20

/** The most operations that one page looks at, and that are looked at to find those that name a pair. */
export const pageOperationsMax = 1000
