// Lists sentences that break a rule of docs/writing.md, names that were replaced, and comments beyond
// 100 columns, and fails if there are any:
//   node check-words.mjs [PATH]     checks all files, or those below a path
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';
import { filesWithSentences, sentencesOfFile } from './sentences/read-file.mjs';
import { broken } from './sentences/rules.mjs';

/** Names that were replaced; docs/glossary.md has the new ones. */
const REPLACED =
  /\b(?:StoodBack|standBack|TransactionSighting|turnsAway|holdBack|whyUnwanted|KeptReplies|FairSlots|toldAs|[a-z]+Told|told[A-Z]\w*)\b/;
/** Columns of a comment line. The formatter wraps code, but no comments. */
const COMMENT_COLUMNS = 100;

/** Findings of a file, as `{ line, rule, text }`. */
function findingsOf(file, text) {
  const sentences = sentencesOfFile(file, text).flatMap((sentence) =>
    broken(sentence).map((rule) => ({ line: sentence.line, rule, text: sentence.text })),
  );
  if (!/\.m?tsx?$|\.mjs$/.test(file)) return sentences;
  const lines = text.split('\n').flatMap((line, index) => {
    const rules = [
      ...(REPLACED.test(line) ? ['a replaced name'] : []),
      ...(line.length > COMMENT_COLUMNS && /^\s*(?:\/\/|\/?\*)/.test(line)
        ? ['a comment beyond 100 columns']
        : []),
    ];
    return rules.map((rule) => ({ line: index + 1, rule, text: line.trim() }));
  });
  return [...sentences, ...lines];
}

const rulesOf = (file, text) => findingsOf(file, text).map(({ rule }) => rule);

/** Each with the rules that it breaks: a check that finds nothing in them is blind. */
const PLANTED = [
  {
    file: 'a.ts',
    text: '/** Whose lanes carry it. */\nexport const a = 1;',
    rules: ['begins with a question word'],
  },
  {
    file: 'a.ts',
    text: '/** Of the last hour. */\nexport const a = 1;',
    rules: ['begins with a preposition'],
  },
  { file: 'a.ts', text: '// Reads what is pushed.\nfoo();', rules: ['what as a noun'] },
  { file: 'a.ts', text: "logger.warn({}, 'the machine stood back');", rules: ['stand'] },
  { file: 'a.ts', text: "throw new RangeError('nobody may');", rules: ['idiom'] },
  {
    file: 'a.spec.ts',
    text: "it('and again', () => {});",
    rules: ['title begins with a conjunction or a preposition', 'title has no verb'],
  },
  { file: 'a.spec.ts', text: "it.each([1])('asks %s', () => {});", rules: ['ask'] },
  { file: 'a.ts', text: 'const standBack = 1;', rules: ['a replaced name'] },
  { file: 'a.ts', text: `// ${'long '.repeat(20)}`, rules: ['a comment beyond 100 columns'] },
  {
    file: 'a.md',
    text: '# A title\n\nIt looks at\nthe chain.\n\n```\nit looks\n```\n',
    rules: ['look'],
  },
  { file: 'a.yml', text: '# By itself, it starts anew.\na: 1\n', rules: ['idiom'] },
  { file: 'a.json', text: '{ "description": "Says it." }', rules: ['say'] },
  {
    file: 'a.ts',
    text: "/** Role of the lanes. */\nconst a = 'Whose lanes';\n// Retry: the node may be busy.\n",
    rules: [],
  },
  {
    file: 'a.spec.ts',
    text: "describe('Lane', () => it('rejects a second send', () => {}));",
    rules: [],
  },
];
for (const { file, text, rules } of PLANTED) {
  const found = rulesOf(file, text);
  if (found.toSorted().join() !== rules.toSorted().join())
    throw new Error(`the check of words is blind: [${found.join()}] in ${text}`);
}

const [path = ''] = process.argv.slice(2);
for (const file of filesWithSentences().filter((each) => each.startsWith(path))) {
  for (const { line, rule, text } of findingsOf(file, readFileSync(join(root, file), 'utf8'))) {
    say(`${file}:${line}: ${rule}: ${text}`);
    process.exitCode = 1;
  }
}
