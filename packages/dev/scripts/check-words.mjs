// Words that need translating, names that were replaced, and comments beyond 100 columns: none may
// come back. See docs/glossary.md and docs/adr/0022-the-fields-words.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';

const BANNED =
  /\b(?:nobody|somebody|whoever|anew|in vain|is none|rungs?|StoodBack|standBack|TransactionSighting|turnsAway|holdBack|whyUnwanted|KeptReplies|FairSlots|toldAs|[a-z]+Told|told[A-Z]\w*|told|tells)\b/i;
/** Where old names are data: rows of earlier releases, and this list. */
const EXEMPT =
  /^packages\/(?:dev\/scripts\/check-words\.mjs|adapters\/store\/test\/golden\/|interface\/client\/src\/openapi\.ts)/;

/** Columns of a line of comment. The formatter cuts code, and leaves comments as they are. */
const COMMENT_COLUMNS = 100;

/** What is wrong in a text, as `line: word`, and `line: columns` of comments that are too long. */
function wrongIn(text) {
  return text.split('\n').flatMap((line, index) => {
    const word = BANNED.exec(line)?.[0];
    const long = line.length > COMMENT_COLUMNS && /^\s*(?:\/\/|\/?\*)/.test(line);
    return [...(word === undefined ? [] : [word]), ...(long ? [`${line.length} columns`] : [])].map(
      (what) => `${index + 1}: ${what}`,
    );
  });
}

const planted = ['// nobody may', `// ${'long '.repeat(20)}`];
if (planted.some((text) => wrongIn(text).length !== 1) || wrongIn('// no caller may').length !== 0)
  throw new Error('the check of words is blind');
const files = execFileSync('git', ['ls-files', '*.ts', '*.mts', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(Boolean);
if (files.length < 500)
  throw new Error(`only ${files.length} files were looked at: the check of words is blind`);
const found = files
  .filter((file) => !EXEMPT.test(file) && existsSync(join(root, file)))
  .flatMap((file) =>
    wrongIn(readFileSync(join(root, file), 'utf8')).map((where) => `${file}:${where}`),
  );
for (const line of found) say(line);
process.exitCode = found.length === 0 ? 0 : 1;
