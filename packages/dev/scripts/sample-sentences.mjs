// Prints random sentences of the project for readers who judge them at first reading: node
// sample-sentences.mjs SEED [COUNT] [KIND] COUNT is 40 by default. KIND is docstring, comment,
// title, message or document; default: all. With the same seed and the same files, the output is
// always the same. A docstring or comment is printed with the code below it. Every sentence is
// printed with the previous sentence of its paragraph. Titles are printed alone.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.mjs';
import { filesWithSentences, sentencesOfFile } from './sentences/read-file.mjs';

const KINDS = new Set(['docstring', 'comment', 'title', 'message', 'document']);

const [seed, count = '40', only] = process.argv.slice(2);
if (seed === undefined) throw new Error('name a seed: node sample-sentences.mjs SEED');
const kinds = only === undefined ? KINDS : new Set([only]);

/** Files without sentences, and lists that repeat texts of other files. */
const NO_PROSE = /^(?:docs\/reference\/fields\.md|packages\/dev\/model\/counterexamples\.md)$/;
const MIN_WORDS = 3;

/** Returns true for a sentence that was written for a reader. Messages in tests are data. */
function isProse(file, { kind, text }) {
  return (
    kinds.has(kind) &&
    !NO_PROSE.test(file) &&
    !(kind === 'message' && /\/test\//.test(file)) &&
    text.split(' ').filter((word) => /^[\p{L}’'-]+[.,:;]?$/u.test(word)).length >= MIN_WORDS
  );
}

/** Mulberry32: a pseudo-random generator of numbers from 0 (inclusive) to 1 (exclusive). */
function generator(state) {
  let at = state;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const sentences = filesWithSentences().flatMap((file) =>
  sentencesOfFile(file, readFileSync(join(root, file), 'utf8'))
    .filter((sentence) => isProse(file, sentence))
    .map((sentence) => ({ file, ...sentence })),
);
const random = generator(Number(seed));
for (let left = Number(count); left > 0 && sentences.length > 0; left -= 1) {
  const [sentence] = sentences.splice(Math.floor(random() * sentences.length), 1);
  console.log(`${sentence.file}:${sentence.line}  [${sentence.kind}]`);
  if (sentence.before !== undefined) console.log(`    (before: ${sentence.before})`);
  console.log(`    ${sentence.raw ?? sentence.text}`);
  if (sentence.of !== undefined) console.log(`    > ${sentence.of}`);
}
