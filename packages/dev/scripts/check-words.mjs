// Sentences that break a rule of docs/writing.md, names that were replaced, and comments beyond 100
// columns. Findings of the baseline are tolerated until they are rewritten:
//   node check-words.mjs            fails on every finding beyond the baseline
//   node check-words.mjs --write    shrinks the baseline to the findings of today
//   node check-words.mjs --all PATH lists every finding below a path
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';
import { filesWithSentences, sentencesOfFile } from './sentences/read-file.mjs';
import { broken } from './sentences/rules.mjs';

/** Names that were replaced; docs/glossary.md has the new ones. */
const REPLACED =
  /\b(?:StoodBack|standBack|TransactionSighting|turnsAway|holdBack|whyUnwanted|KeptReplies|FairSlots|toldAs|[a-z]+Told|told[A-Z]\w*)\b/;
/** Columns of a comment line. The formatter wraps code, but no comments. */
const COMMENT_COLUMNS = 100;
const BASELINE = join(root, 'packages/dev/scripts/sentences/baseline.json');

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

const [mode, path] = process.argv.slice(2);
const baseline = existsSync(BASELINE) ? JSON.parse(readFileSync(BASELINE, 'utf8')) : {};
const left = {};
let failures = 0;
for (const file of filesWithSentences()) {
  if (mode === '--all' && path !== undefined && !file.startsWith(path)) continue;
  const findings = findingsOf(file, readFileSync(join(root, file), 'utf8'));
  if (findings.length > 0) left[file] = findings.length;
  const tolerated = baseline[file] ?? 0;
  if (mode !== '--all' && findings.length <= tolerated) continue;
  failures += findings.length - tolerated;
  for (const { line, rule, text } of findings) say(`${file}:${line}: ${rule}: ${text}`);
}

const sum = (counts) => Object.values(counts).reduce((all, count) => all + count, 0);
if (mode === '--write') {
  if (failures > 0 && existsSync(BASELINE))
    throw new Error('the baseline may only shrink: rewrite the sentences above');
  writeFileSync(BASELINE, `${JSON.stringify(left, null, 2)}\n`);
  say(`${sum(left)} findings are left`);
} else if (mode !== '--all') {
  const stale = Object.entries(baseline).filter(([file, count]) => (left[file] ?? 0) < count);
  for (const [file] of stale)
    say(`${file}: the baseline has more findings: check-words.mjs --write`);
  process.exitCode = failures > 0 || stale.length > 0 ? 1 : 0;
}
