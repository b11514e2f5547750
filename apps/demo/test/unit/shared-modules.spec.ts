import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../support/workspace.js';

const PRESET = join(ROOT, 'packages/dev/scripts/jest.preset.mjs');
const JEST = createRequire(import.meta.url).resolve('jest/bin/jest');

/** Source of a spec file that checks the state of the process and then changes it. */
const LEAKS = `import { expect, it, jest } from '@jest/globals';
import { evaluation } from '../src/evaluation.js';
import { helper } from './support/helper.js';

interface Leaks { planted?: string }
it('finds a clean process', () => {
  expect(process.env['PLANTED']).toBeUndefined();
  expect(process.listenerCount('planted')).toBe(0);
  expect((globalThis as Leaks).planted).toBeUndefined();
  expect(process.exitCode).toBeUndefined();
  expect(process.cwd()).not.toBe('/');
  expect(Date.now()).toBeGreaterThan(1_000_000);
  expect(Math.random()).not.toBe(7);
  expect(typeof fetch).toBe('function');
});
it(\`has modules of evaluation \${evaluation}\`, () => {});
it(\`has helpers of evaluation \${helper}\`, () => {});
it('leaks', () => {
  process.env['PLANTED'] = 'yes';
  process.on('planted', () => {});
  (globalThis as Leaks).planted = 'yes';
  process.exitCode = 0;
  process.chdir('/');
  jest.spyOn(Math, 'random').mockReturnValue(7);
  jest.useFakeTimers({ now: 1 });
  Object.assign(globalThis, { fetch: null });
});
`;
const FILES: Readonly<Record<string, string>> = {
  'src/evaluation.ts': `export const evaluation: string = crypto.randomUUID();\n`,
  'src/thrower.ts': `interface Left { readonly out: string }\n\nexport function thrower(left?: Left): never {\n  throw new Error(left?.out ?? 'from the source');\n}\n`,
  'test/support/helper.ts': `export const helper: string = crypto.randomUUID();\n`,
  'test/leaks.spec.ts': LEAKS,
  'test/again.spec.ts': LEAKS,
  'test/fails.spec.ts': `import { expect, it } from '@jest/globals';
import { thrower } from '../src/thrower.js';

interface Left { readonly out: string }

it('expects', () => {
  const left: Left = { out: 'one' };
  expect(left.out).toBe('other');
});
it('throws', () => thrower());
it('rejects unattended', () => {
  void Promise.reject(new Error('without a handler'));
});
`,
  'test/throws-at-load.spec.ts': `import { thrower } from '../src/thrower.js';\n\nthrower();\n`,
  'test/names-nothing.spec.ts': `import { nothing } from '../src/thrower.js';\n\nnothing();\n`,
  'test/mocks.spec.ts': `import { it, jest } from '@jest/globals';

it('mocks a module', () => {
  jest.unstable_mockModule('../src/thrower.js', () => ({ thrower: () => 'mocked' }));
});
`,
  'test/isolated.spec.ts': `/** @isolated */
import { expect, it, jest } from '@jest/globals';

it('mocks a module', async () => {
  jest.unstable_mockModule('../src/thrower.js', () => ({ thrower: () => 'mocked' }));
  const { thrower } = await import('../src/thrower.js');
  expect(thrower()).toBe('mocked');
});
`,
};

interface FileResult {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { readonly title: string; readonly status: string }[];
}

describe('suites with shared modules', () => {
  let folder: string;
  let status: number | null;
  let results: readonly FileResult[];

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'sotto-shared-modules-')));
    for (const path of ['src', 'test/support']) mkdirSync(join(folder, path), { recursive: true });
    for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    symlinkSync(join(ROOT, 'apps/demo/node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'jest.config.mjs'),
      `import preset from '${PRESET}';
export default { ...preset, testMatch: ['<rootDir>/test/*.spec.ts'], reporters: [] };\n`,
    );
    const output = join(folder, 'results.json');
    const run = spawnSync(
      process.execPath,
      ['--experimental-vm-modules', JEST, '--json', `--outputFile=${output}`],
      { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'] } },
    );
    if (!existsSync(output)) throw new Error(`no results: ${run.stderr}`);
    ({ status } = run);
    ({ testResults: results } = JSON.parse(readFileSync(output, 'utf8')));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const fileOf = (name: string): FileResult => {
    const found = results.find((result) => result.name === join(folder, 'test', name));
    if (found === undefined) throw new Error(`no result of ${name}`);
    return found;
  };
  const titlesOf = (name: string) => fileOf(name).assertionResults.map(({ title }) => title);

  it('a run of test suites with shared modules fails if one test file fails', () => {
    expect(status).toBe(1);
  });

  it('each file of the test suites with shared modules runs with a clean process state', () => {
    for (const name of ['leaks.spec.ts', 'again.spec.ts'])
      expect(fileOf(name)).toMatchObject({ status: 'passed', message: '' });
  });

  it('test suites share the modules of a package, but not their test helpers', () => {
    const [first, second] = [titlesOf('leaks.spec.ts'), titlesOf('again.spec.ts')];
    expect(first[1]).toMatch(/^has modules of evaluation \S+$/);
    expect(second[1]).toBe(first[1]);
    expect(second[2]).not.toBe(first[2]);
  });

  it('a failure in a test suite with shared modules is reported with the line and code of the TypeScript source', () => {
    const { message, assertionResults } = fileOf('fails.spec.ts');
    expect(assertionResults.map((result) => result.status)).toEqual(['failed', 'failed', 'failed']);
    expect(message).toMatch(/> +8 \| +expect\(left\.out\)\.toBe\('other'\);/);
    expect(message).toContain('(test/fails.spec.ts:8:20)');
    expect(message).toMatch(/> +4 \| +throw new Error\(left\?\.out/);
    expect(message).toContain('(src/thrower.ts:4:9)');
    expect(message).toMatch(/> +12 \| +void Promise\.reject/);
  });

  it('a test suite with shared modules fails if its file does not load', () => {
    expect(fileOf('throws-at-load.spec.ts')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('src/thrower.ts:4:9'),
    });
    expect(fileOf('names-nothing.spec.ts')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/names-nothing\.spec\.ts\S*:1\n[^]*'nothing'/),
    });
  });

  it('a test suite with shared modules can mock a module only if the test file is marked as isolated', () => {
    expect(fileOf('mocks.spec.ts').message).toContain(
      'jest.unstable_mockModule needs a file with @isolated in its docblock',
    );
    expect(fileOf('isolated.spec.ts')).toMatchObject({ status: 'passed', message: '' });
  });
});
