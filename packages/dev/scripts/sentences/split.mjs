/** Splits a paragraph into sentences; code, links and addresses in them become the word `x`. */
export function sentencesOf(text) {
  return text
    .replaceAll(/`[^`]*`|\{@link [^}]*\}/g, 'x')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, 'x')
    .replaceAll(/\b(?:e\.g|i\.e|etc|cf|vs)\./g, (short) => short.replaceAll('.', ''))
    .split(/(?<=[.!?])\s+(?=[A-Z“"(]|x\b)/)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /[a-z]{2}/i.test(sentence));
}
