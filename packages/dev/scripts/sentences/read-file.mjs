import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../run.mjs';
import { readJson, readMarkdown, readYaml } from './read-document.mjs';
import { readSource } from './read-source.mjs';

/** Rows of earlier releases, generated code and sentences that the rules quote. */
const DATA =
  /^(?:packages\/adapters\/store\/test\/golden\/|packages\/interface\/client\/src\/openapi\.ts|packages\/dev\/scripts\/(?:check-words\.mjs|sentences\/)|docs\/(?:writing\.md|reference\/openapi\.json)|pnpm-lock\.yaml)/;
const READERS = [
  [/\.(?:ts|mts|tsx|mjs)$/, readSource],
  [/\.md$/, (_file, text) => readMarkdown(text)],
  [/\.ya?ml$/, (_file, text) => readYaml(text)],
  [/\.json$/, (_file, text) => readJson(text)],
];

/** Sentences of a file, as `{ kind, line, text }`. */
export function sentencesOfFile(file, text) {
  const [, read] = READERS.find(([pattern]) => pattern.test(file));
  return read(file, text);
}

/** Paths of all tracked files with sentences. @throws Error if there are suspiciously few */
export function filesWithSentences() {
  const patterns = ['*.ts', '*.mts', '*.tsx', '*.mjs', '*.md', '*.yml', '*.yaml', '*.json'];
  const files = execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && !DATA.test(file) && existsSync(join(root, file)));
  if (files.length < 1_000) throw new Error(`only ${files.length} files have sentences`);
  return files;
}
