/** Materials and colours, each with the tone of its picture (styles/art.css has the colours). */
const tones: Readonly<Record<string, string>> = {
  oak: 'oak',
  pine: 'oak',
  rattan: 'oak',
  beech: 'beech',
  'olive wood': 'olive',
  walnut: 'walnut',
  sand: 'sand',
  natural: 'sand',
  'moss green': 'moss',
  terracotta: 'clay',
  copper: 'copper',
  brass: 'brass',
  'harbour blue': 'harbour',
  glass: 'harbour',
  stoneware: 'stone',
  grey: 'stone',
  paper: 'chalk',
  white: 'chalk',
  speckled: 'stone',
  cotton: 'rose',
}

const others = [...new Set(Object.values(tones))]

const toHash = (text: string): number => [...text].reduce((hash, sign) => (hash * 31 + sign.charCodeAt(0)) % 9973, 7)

/** The tone of the first word that has one; otherwise a fixed one for these words. */
export function toTone(words: readonly string[]): string {
  const known = words.map((word) => tones[word]).find((tone) => tone !== undefined)
  return known ?? others[toHash(words.join()) % others.length] ?? 'sand'
}
