/**
 * The kinds that erase somebody. Their entries stay, because they are not about anything that existed before. Deleting an object
 * erases nothing of the log.
 */
const deletingKinds = ["delete", "suppress"]

export const isDeletion = (kind: string | null): boolean => kind !== null && deletingKinds.includes(kind)
