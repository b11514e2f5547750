import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { packages, ROOT } from '../support/workspace.js';

const APP = fileURLToPath(new URL('../../', import.meta.url));
/** Timeout in ms of one compiler run over all examples, on a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Matches a block `ts run` and the block without a language that follows it. The second block is
 * the expected output of the first block.
 */
const EXAMPLE = /^```ts run\n([^]*?)^```\n\nIt prints\n\n```\n([^]*?)^```$/gm;

const examples = packages.flatMap((path) =>
  [...readFileSync(join(ROOT, path, 'README.md'), 'utf8').matchAll(EXAMPLE)].map(
    ([, code = '', printed = ''], index) => ({
      path,
      name: `${path.replaceAll('/', '-')}-${index}`,
      code,
      printed,
    }),
  ),
);

describe('the examples in the READMEs of packages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-readmes-'));
  let compiled: { readonly stdout: string; readonly status: number | null };
  beforeAll(() => {
    // The examples import only built packages, by their package names.
    for (const path of packages) {
      const { name } = JSON.parse(readFileSync(join(ROOT, path, 'package.json'), 'utf8'));
      mkdirSync(join(folder, 'node_modules/@sotto'), { recursive: true });
      symlinkSync(join(ROOT, path), join(folder, 'node_modules', name));
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
    for (const { name, code } of examples) writeFileSync(join(folder, `${name}.ts`), code);
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(ROOT, 'tsconfig.base.json'),
        compilerOptions: {
          rootDir: '.',
          outDir: 'out',
          typeRoots: [join(APP, 'node_modules/@types')],
        },
        include: ['*.ts'],
      }),
    );
    compiled = spawnSync(join(APP, 'node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' });
  }, TIMEOUT_MS);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('every package below packages/core and packages/proof has an example in its README', () => {
    const shown = new Set(examples.map(({ path }) => path));
    const cores = packages.filter((path) => /^packages\/(core|proof)\//.test(path));
    expect(cores.filter((path) => !shown.has(path)).map((path) => basename(path))).toEqual([]);
  });

  it('the examples in the READMEs compile with the project’s strict TypeScript options', () => {
    expect(compiled).toMatchObject({ stdout: '', status: 0 });
  });

  it.each(examples)(
    'the example in $path prints the output that the README contains',
    async ({ name, printed }) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(folder, 'out', `${name}.js`)],
        { cwd: ROOT, env: { PATH: process.env['PATH'] } },
      );
      expect(stdout).toBe(printed);
    },
    TIMEOUT_MS,
  );
});
