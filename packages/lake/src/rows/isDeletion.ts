/** The kinds that delete somebody. Their entries stay, because they are not about anything that existed before. */
const deletingKinds = ["delete", "suppress", "object_delete"]

export const isDeletion = (kind: string | null): boolean => kind !== null && deletingKinds.includes(kind)
