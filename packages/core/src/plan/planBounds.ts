/** The most plans of a workspace. */
export const plansMax = 1000

/** The largest plan, as JSON. */
export const planBytesMax = 64 * 1024

/** The largest number of bytes of all plans of a workspace together, as JSON. A node holds them with the settings. */
export const plansBytesMax = 1024 * 1024

/** The most properties of one plan, those of nested objects included. */
export const planPropertiesMax = 200

/** The most levels of schemas in a plan. */
export const planLevelsMax = 16

/** The most characters of the name that a plan is for. */
export const planNameCharactersMax = 1000

/** The most violations of one entry. */
export const violationsMax = 20

/** The most plans that were removed of which a workspace knows the version, so that none is used twice. */
export const retiredPlansMax = 1000
