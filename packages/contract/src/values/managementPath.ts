/** The base path of the management API. */
export const managementPath = "/management/v1"
