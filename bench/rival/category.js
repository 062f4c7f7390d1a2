/** A category with about as much text as a resource of the seed. */
export const toCategory = (text) => ({
  name: { en: text },
  slug: { en: text.replaceAll(' ', '-') },
  description: { en: `${text}: ${'as long as the arrays of a resource. '.repeat(12)}` },
  orderHint: '0.5',
})

export const categoryDraft = toCategory('resource number 0')
