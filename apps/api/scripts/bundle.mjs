// Puts the service and all that it imports into one file beside its entry, dist/service.js, which a
// process loads in half the time of some thousand modules. Files that packages read or start beside
// themselves stay where they are.
//   node bundle.mjs [dist]        of an installation elsewhere; default: the one beside this folder
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [ELSEWHERE] = process.argv.slice(2);
const DIST = absolute(ELSEWHERE ?? fileURLToPath(new URL('../dist', import.meta.url)));

/** An expression for the URL of a file, wherever the checkout is. */
const urlOf = (file) => `new URL(${JSON.stringify(relative(DIST, file))}, import.meta.url).href`;

/** What finds its workers' files beside itself, and what is only loaded where traces are on. */
const LEFT_OUT = /^(?:piscina|@opentelemetry\/sdk-node)$/;

const ownPlaces = {
  name: 'places of the modules',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: LEFT_OUT }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (pluginData === LEFT_OUT) return undefined;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: LEFT_OUT });
      return { path: relative(DIST, found.path), external: true };
    });
    onLoad({ filter: /[\\/](?:packages|@sotto)[\\/].*[\\/]dist[\\/].*\.js$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8');
      if (!code.includes('import.meta.')) return undefined;
      const contents = code
        .replaceAll(/import\.meta\.resolve\('([^']+)'\)/g, (_, name) =>
          urlOf(createRequire(path).resolve(name)),
        )
        .replaceAll(/import\.meta\.url(?!\)\.href)/g, urlOf(path));
      return { contents, loader: 'js', resolveDir: dirname(path) };
    });
  },
};

const { outputFiles } = await build({
  entryPoints: { service: join(DIST, 'main.js') },
  // Names of modules in comments are relative to it.
  absWorkingDir: DIST,
  outdir: DIST,
  bundle: true,
  // What is imported once Node was found young enough stays apart: all imports of one file are
  // linked before any of it runs.
  splitting: true,
  chunkNames: 'service-[name]',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  keepNames: true,
  // A comment or a line's indent would be kept in memory with the rest of the text.
  minifyWhitespace: true,
  // So that a stack trace still names a place.
  lineLimit: 160,
  sourcemap: ELSEWHERE === undefined && 'linked',
  sourcesContent: false,
  plugins: [ownPlaces],
  // Only wanted where it is installed.
  external: ['pg-native'],
  // For the CommonJS modules in it.
  banner: {
    js: "import nodeModule from 'node:module';\nconst require = nodeModule.createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  write: false,
});

// The engine keeps the text of a module, with two bytes for each character if there is one that is
// not ASCII; esbuild leaves those of regular expressions.
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
await Promise.all(
  outputFiles.map(({ path, text }) =>
    writeFile(path, path.endsWith('.js') ? text.replaceAll(/[^\0-\x7F]/g, escaped) : text),
  ),
);
