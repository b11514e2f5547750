const CODE = /`[^`]*`|\{@link [^}]*\}|https?:\/\/\S+/g;
const HIDDEN = '\u{E000}';

/**
 * Splits a paragraph into sentences. `text` has the word `x` for code, links and addresses; `raw` has
 * them as they are; `before` is the previous sentence of the paragraph, or undefined.
 */
export function splitParagraph(paragraph) {
  const codes = [];
  const hidden = paragraph
    .replaceAll(CODE, (code) => {
      codes.push(code);
      return HIDDEN;
    })
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\b(?:e\.g|i\.e|etc|cf|vs)\./g, (short) => short.replaceAll('.', ''));
  let before;
  return hidden
    .split(/(?<=[.!?])\s+(?=[A-Z“"(\u{E000}])/u)
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .map((sentence) => {
      const raw = sentence.replaceAll(HIDDEN, () => codes.shift());
      const split = { text: sentence.replaceAll(HIDDEN, 'x'), raw, before };
      before = raw;
      return split;
    })
    .filter(({ text }) => /[a-z]{2}/i.test(text));
}

/** Sentences of a paragraph, with the word `x` for code, links and addresses. */
export const sentencesOf = (paragraph) => splitParagraph(paragraph).map(({ text }) => text);
