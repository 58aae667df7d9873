/** Saves a text as a file, of CSV unless another type is given. */
export const download = (name: string, text: string, type = "text/csv"): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
