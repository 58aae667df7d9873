/** Returns the anchor that git hosts give to a heading with this text. */
export const headingSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-")
