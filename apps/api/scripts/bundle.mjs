// Bundles the service and all its imports into one file next to its entry, dist/service.js. A
// process loads this file in half the time that it needs for about a thousand separate modules.
// Files that packages read or start relative to their module are not moved. node bundle.mjs [dist]
// dist of an installation elsewhere; default: ../dist
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve as absolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const [ELSEWHERE] = process.argv.slice(2);
const DIST = absolute(ELSEWHERE ?? fileURLToPath(new URL('../dist', import.meta.url)));

/** Returns a JavaScript expression for the URL of a file, relative to the bundle. */
const urlOf = (file) => `new URL(${JSON.stringify(relative(DIST, file))}, import.meta.url).href`;

/**
 * Packages that stay outside the bundle. `piscina` finds its worker files relative to its module.
 * The OpenTelemetry SDK is loaded only if tracing is enabled.
 */
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
  // Module names in the bundle's comments are relative to this directory.
  absWorkingDir: DIST,
  outdir: DIST,
  bundle: true,
  // Modules that are imported after the check of Node's version must be in a separate file. Reason:
  // all imports of a file are linked before any of its code runs.
  splitting: true,
  chunkNames: 'service-[name]',
  platform: 'node',
  target: 'node24',
  format: 'esm',
  keepNames: true,
  // Removes comments and indentation, because the process keeps the text of its modules in memory.
  minifyWhitespace: true,
  // Lines are short, so that the positions in stack traces remain useful.
  lineLimit: 160,
  sourcemap: ELSEWHERE === undefined && 'linked',
  sourcesContent: false,
  plugins: [ownPlaces],
  // This optional package is imported only if it is installed.
  external: ['pg-native'],
  // CommonJS modules in the bundle need `require`.
  banner: {
    js: "import nodeModule from 'node:module';\nconst require = nodeModule.createRequire(import.meta.url);",
  },
  logLevel: 'warning',
  write: false,
});

// The engine stores a module's text with two bytes per character if the text contains any non-ASCII
// character. esbuild does not escape such characters in regular expressions, so they are escaped
// here.
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
await Promise.all(
  outputFiles.map(({ path, text }) =>
    writeFile(path, path.endsWith('.js') ? text.replaceAll(/[^\0-\x7F]/g, escaped) : text),
  ),
);
