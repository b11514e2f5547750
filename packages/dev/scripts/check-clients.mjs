// Generates clients from the OpenAPI document with four generators, compiles the clients, and lints
// the document with two linters. These tools are installed from their registries, so `npm test`
// does not run this script.
//
// Usage: node packages/dev/scripts/check-clients.mjs [folder for tools and clients]
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './run.mjs';

const DOCUMENT = join(root, 'docs/reference/openapi.json');
const NODE_TOOLS = [
  'typescript@5.9',
  'openapi-typescript@7.13.0',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
];
/** The generator formats with ruff, and prints a warning if ruff is missing. */
const PYTHON_TOOLS = ['openapi-python-client==0.29.1', 'ruff==0.17.6'];

const REDOCLY = 'extends: [recommended]\n';
const SPECTRAL = `extends: ["spectral:oas"]
rules:
  # There is no person or team behind every deployment of this document.
  info-contact: off
`;

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'sotto-clients-'));
mkdirSync(folder, { recursive: true });
const bin = (name) => join(folder, 'node_modules/.bin', name);
const python = (name) => join(folder, 'py/bin', name);
const write = (name, text) => writeFileSync(join(folder, name), text);

function run(command, args) {
  const env = { ...process.env, PATH: `${join(folder, 'py/bin')}:${process.env.PATH}` };
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  return { ok: status === 0, text: `${stdout}${stderr}` };
}

function install() {
  write('package.json', JSON.stringify({ private: true, type: 'module' }));
  const node = run('npm', [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...NODE_TOOLS,
  ]);
  if (!node.ok) throw new Error(node.text);
  const venv = run('python3', ['-m', 'venv', 'py']);
  const pip = run(python('pip'), ['install', '--quiet', ...PYTHON_TOOLS]);
  if (!venv.ok || !pip.ok) throw new Error(venv.text + pip.text);
}

const compile = (...files) =>
  run(bin('tsc'), [
    ...'--noEmit --strict --skipLibCheck --target es2022 --module esnext'.split(' '),
    ...'--moduleResolution bundler --lib es2022,dom,dom.iterable'.split(' '),
    ...files,
  ]);

/** Commands of each step. A step succeeds if all its commands succeed. */
const STEPS = {
  'openapi-typescript': [
    () => run(bin('openapi-typescript'), [DOCUMENT, '-o', 'openapi-typescript.ts']),
    () => compile('openapi-typescript.ts'),
  ],
  'hey-api': [
    () => run(bin('openapi-ts'), ['-i', DOCUMENT, '-o', 'hey-api']),
    () => compile('hey-api/index.ts'),
  ],
  orval: [
    () =>
      run(bin('orval'), ['--input', DOCUMENT, '--output', 'orval/client.ts', '--client', 'fetch']),
    () => compile('orval/client.ts'),
  ],
  'openapi-python-client': [
    () =>
      run(python('openapi-python-client'), [
        'generate',
        '--path',
        DOCUMENT,
        '--output-path',
        'python-client',
        '--overwrite',
        '--fail-on-warning',
      ]),
    () => run(python('python'), ['-m', 'compileall', '-q', 'python-client']),
  ],
  redocly: [
    () => {
      write('redocly.yaml', REDOCLY);
      const result = run(bin('redocly'), ['lint', DOCUMENT, '--config', 'redocly.yaml']);
      return { ...result, ok: result.ok && !/\b[1-9]\d* warning/.test(result.text) };
    },
  ],
  spectral: [
    () => {
      write('.spectral.yaml', SPECTRAL);
      return run(bin('spectral'), [
        'lint',
        DOCUMENT,
        '--ruleset',
        '.spectral.yaml',
        '--fail-severity',
        'warn',
      ]);
    },
  ],
};

install();
let failed = 0;
for (const [name, commands] of Object.entries(STEPS)) {
  const failure = commands.map((command) => command()).find(({ ok }) => !ok);
  console.log(`${failure === undefined ? 'ok    ' : 'FAILED'} ${name}`);
  if (failure === undefined) continue;
  failed += 1;
  console.log(failure.text.trim());
}
process.exitCode = failed === 0 ? 0 : 1;
