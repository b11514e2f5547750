import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Service, type Variables } from '@sotto/process-kit';
import { noteUndeclared } from '../../support/undeclared-errors.js';
import { NODE_OPTIONS } from './program.js';

/**
 * Entry point of the service that is not bundled, so that a test can replace one of its packages by
 * another build.
 */
const PROGRAM = new URL('../../../dist/main.js', import.meta.url).href;
const STORE = fileURLToPath(new URL('../../../../../packages/adapters/store/', import.meta.url));
const DIALECTS = ['sqlite', 'postgres'] as const;

/** The built service with one additional migration, which represents the next release. */
export class NextRelease {
  readonly #folder = mkdtempSync(join(tmpdir(), 'sotto-next-release-'));
  readonly #hooks = join(this.#folder, 'hooks.mjs');

  /**
   * @param migration name of the additional migration
   * @param runsBeside number of the oldest schema that may run at the same time, four digits
   */
  constructor(
    readonly migration: string,
    runsBeside: string,
  ) {
    for (const name of ['dist', 'migrations', 'package.json'])
      cpSync(join(STORE, name), join(this.#folder, name), { recursive: true });
    symlinkSync(join(STORE, 'node_modules'), join(this.#folder, 'node_modules'));
    for (const dialect of DIALECTS)
      writeFileSync(
        join(this.#folder, 'migrations', `${migration}.${dialect}.sql`),
        `-- Runs beside: ${runsBeside}\nalter table "instances" add column "added" text;\n`,
      );
    const [from, to] = [STORE, `${this.#folder}/`].map((path) => pathToFileURL(path).href);
    writeFileSync(
      this.#hooks,
      `import { registerHooks } from 'node:module';
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    return found.url.startsWith('${from}')
      ? { ...found, url: '${to}' + found.url.slice(${from?.length}) }
      : found;
  },
});
`,
    );
  }

  /** Starts a process of this release. The caller ends it. */
  start(environment: Variables): Service {
    return new Service({
      program: PROGRAM,
      env: environment,
      nodeOptions: [...NODE_OPTIONS, '--import', pathToFileURL(this.#hooks).href],
      onOutput: noteUndeclared,
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
