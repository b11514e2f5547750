import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** Libraries that core packages may import, as in `.dependency-cruiser.cjs`. */
const PURE_FUNCTIONS = /^(@noble\/hashes\/|@scure\/base$)/;

const APP = fileURLToPath(new URL('../../', import.meta.url));
const ROOT = join(APP, '../..');
const TSC = join(APP, 'node_modules/.bin/tsc');
/** Module that lists the packages which a program and its imports load, one per line, on stderr. */
const REPORT_PACKAGES = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ resolve(specifier, context, next) {
     if (/^[@a-z]/.test(specifier) && !/^(node|data|file):/.test(specifier)) process.stderr.write(specifier + '\\n');
     return next(specifier, context);
   } });`,
)}`;

/** Returns the code blocks of a language. The language '' selects blocks without a language. */
function blocksOf(markdown: string, language: string): readonly string[] {
  return [...markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);
}

describe('docs/libraries.md', () => {
  const markdown = readFileSync(join(ROOT, 'docs/libraries.md'), 'utf8');
  const [example = ''] = blocksOf(markdown, 'ts');
  const [printed = ''] = blocksOf(markdown, '');
  let folder = '';
  // The folder is inside this package, so that Node finds this package's dependencies from there.
  beforeAll(() => {
    folder = mkdtempSync(join(APP, 'node_modules/.libraries-'));
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folder, 'example.ts'), example);
    const compilerOptions = {
      rootDir: '.',
      outDir: 'out',
      typeRoots: [join(APP, 'node_modules/@types')],
    };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        compilerOptions,
        files: ['example.ts'],
      }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('the example of docs/libraries.md compiles and prints the documented output', () => {
    expect(spawnSync(TSC, ['-p', folder], { encoding: 'utf8' })).toMatchObject({
      stdout: '',
      status: 0,
    });
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--import', REPORT_PACKAGES, join(folder, 'out/example.js')],
      {
        encoding: 'utf8',
      },
    );
    expect(status).toBe(0);
    expect(stdout).toBe(printed);
    const packages = new Set(stderr.split('\n').filter((line) => line !== ''));
    expect([...packages].filter((name) => !PURE_FUNCTIONS.test(name)).toSorted()).toEqual([
      '@sotto/bridge-core',
      '@sotto/facts',
      '@sotto/kernel',
      '@sotto/staking-core',
    ]);
  });
});
