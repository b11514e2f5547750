// Keys and fingerprints of attempts may be compared, but not parsed. Code must use `kind`,
// `subject` and `memo` for its decisions. This script searches for code that reads parts of a key
// or a fingerprint.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say } from './run.mjs';

const NAME = String.raw`\b(?:key|fingerprint|effect)`;
const READING = String.raw`(?:split|slice|startsWith|endsWith|includes|indexOf|match|replace|substring|at)`;
const READS = [
  new RegExp(String.raw`${NAME}\??\.${READING}\(`),
  new RegExp(String.raw`\.(?:exec|test)\(\s*(?:\w+\.)*${NAME}\s*\)`),
  /(?:split_part|substr|regexp_match|instr)\s*\(\s*"?(?:attempts\.)?(?:key|fingerprint)\b/i,
  /\b(?:key|fingerprint)"?\s+(?:like|glob|~)\s/i,
];
/**
 * Folders whose code writes or reads attempts. Released migrations are excluded, because they parse
 * keys in the format of their release.
 */
const CHECKED =
  /^(?:packages\/(?:core|adapters)\/[^/]+\/src|packages\/relayer\/src|apps\/[^/]+\/src)\/.*\.ts$/;
/**
 * Files in which the name `key` does not mean the key of an attempt, but for example a client's
 * address or a member of a body.
 */
const OTHER_KEYS = new Set(['packages/platform/http-server/src/request-errors.ts']);

const readsIn = (text) =>
  text
    .split('\n')
    .flatMap((line, index) => (READS.some((read) => read.test(line)) ? [index + 1] : []));

const planted = [
  `const [, pool] = attempt.key.split('|');`,
  `if (KEY.test(row.key)) return;`,
  `sql\`select split_part(key, '|', 2) from attempts\``,
  `sql\`where key like 'chain|%'\``,
  `fingerprint?.startsWith('idle')`,
];
if (planted.some((text) => readsIn(text).length !== 1) || readsIn('a.key === b.key').length !== 0)
  throw new Error('the check of keys is blind');
const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => CHECKED.test(file) && !OTHER_KEYS.has(file) && existsSync(join(root, file)));
if (files.length < 200)
  throw new Error(`only ${files.length} files were found: the check of keys is blind`);
const found = files.flatMap((file) =>
  readsIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}:${line}`),
);
for (const where of found) say(`${where}: reads into a key or fingerprint`);
process.exitCode = found.length === 0 ? 0 : 1;
