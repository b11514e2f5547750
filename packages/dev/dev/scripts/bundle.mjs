// Bundles the development stack and the service into bundle/, which runs wherever it is installed.
// The bundle has one module per process and worker, shared modules, and required files. Only
// piscina remains a dependency, because it starts its workers from a separate file.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from './notices.mjs';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const BUNDLE = here('bundle');
const FILES = join(BUNDLE, 'files');
/**
 * Returns the path of a file in another package of this repository, which is a development
 * dependency.
 */
const ours = (path) => here(`../../${path}`);

/** Modules of processes and workers, by their names in the bundle. */
const ENTRIES = {
  index: here('dist/index.js'),
  main: here('dist/main.js'),
  stack: here('dist/stack/main.js'),
  guard: ours('dev/process-kit/dist/guard.js'),
  service: fileURLToPath(import.meta.resolve('@sotto/api/modules')),
  'pairing-worker': ours('proof/groth16/dist/pairing-worker.js'),
  'calldata-hash-worker': ours('adapters/starknet/dist/calldata-hash-worker.js'),
  'sqlite-checkpoint-worker': ours('adapters/store/dist/sqlite/sqlite-checkpoint-worker.js'),
};

/**
 * Returns an expression for a path in the bundle, which is valid in modules at the bundle's top
 * level.
 */
const inBundle = (path) => `new URL(${JSON.stringify(path)}, import.meta.url)`;

/**
 * Returns the path inside the bundle of a file that a module reads or starts. If the file is not a
 * module of the bundle, it is copied.
 */
function placed(target) {
  const name = Object.keys(ENTRIES).find((entry) => ENTRIES[entry] === target);
  if (name !== undefined) return `./${name}.js`;
  if (target.startsWith(BUNDLE)) return `./${target.slice(BUNDLE.length + 1)}`;
  // The bundled code does not use this module. Paths to it that remain in use are detected below.
  if (target.endsWith('.js')) return `./unused/${basename(target)}`;
  // A manifest is read only for its version, so include only the version.
  if (basename(target) === 'package.json') {
    const { version } = JSON.parse(readFileSync(target, 'utf8'));
    writeFileSync(join(FILES, 'package.json'), JSON.stringify({ version }));
  } else cpSync(target, join(FILES, basename(target)), { recursive: true });
  return `./files/${basename(target)}${target.endsWith('/') ? '/' : ''}`;
}

const places = {
  name: 'places of the modules',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:packages|apps)[\\/].*[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes('import.meta.')) return undefined;
      const contents = code
        .replaceAll(/new URL\('(\.[^']+)', import\.meta\.url\)/g, (_, file) =>
          inBundle(placed(join(dirname(path), file))),
        )
        .replaceAll(
          /import\.meta\.resolve\('([^']+)'\)/g,
          (_, name) => `${inBundle(`./files/${name}`)}.href`,
        );
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

rmSync(BUNDLE, { recursive: true, force: true });
mkdirSync(FILES, { recursive: true });
// Copy the files of the pages / and /docs, and of the operator console.
const api = createRequire(ours('../apps/api/package.json'));
for (const name of ['web', 'console']) {
  const page = dirname(api.resolve(`@sotto/${name}/page/index.html`));
  cpSync(page, join(FILES, '@sotto', name, 'page'), { recursive: true });
}
const profile = fileURLToPath(import.meta.resolve('@sotto/api/profiles/sandbox.json'));
cpSync(profile, join(FILES, 'sandbox.json'));
// Copy the verification key of the development setup.
const key = fileURLToPath(import.meta.resolve('@sotto/prover/keys/verification_key.json'));
cpSync(key, join(FILES, 'verification_key.json'));

const { metafile } = await build({
  entryPoints: ENTRIES,
  outdir: BUNDLE,
  bundle: true,
  splitting: true,
  chunkNames: '[name]-[hash]',
  platform: 'node',
  target: 'node22',
  format: 'esm',
  keepNames: true,
  minifySyntax: true,
  minifyWhitespace: true,
  metafile: true,
  plugins: [places],
  // Exclude OpenTelemetry's SDK: it is loaded only if traces are enabled, which this package does
  // not support.
  external: ['pg-native', 'piscina', '@opentelemetry/sdk-node'],
  // Define `require` for bundled CommonJS modules.
  banner: {
    js: "import{createRequire as makeRequire}from'node:module';const require=makeRequire(import.meta.url);",
  },
  logLevel: 'warning',
});

for (const output of Object.keys(metafile.outputs)) {
  const code = readFileSync(resolve(output), 'utf8');
  for (const [, path] of code.matchAll(/new URL\("(\.\/[^"]+)",\s?import\.meta\.url\)/g))
    if (!existsSync(join(BUNDLE, path)))
      throw new Error(`${basename(output)} names ${path}, which the bundle lacks`);
}
writeFileSync(join(BUNDLE, 'THIRD-PARTY-NOTICES.txt'), noticesOf(metafile));
