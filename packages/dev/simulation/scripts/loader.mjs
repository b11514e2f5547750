// Lets Node run the sources of this workspace as they are: nothing has to be built, and what runs
// is what stands there.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const NO_JEST =
  'data:text/javascript,const none=()=>{};export const describe=none,it=none,expect=none,afterEach=none,beforeEach=none,afterAll=none,beforeAll=none,jest={};';

registerHooks({
  resolve(specifier, context, next) {
    // Contract suites stand beside the fakes that are wanted here; they are not run.
    if (specifier === '@jest/globals') return { url: NO_JEST, shortCircuit: true };
    if (
      specifier.startsWith('.') &&
      specifier.endsWith('.js') &&
      context.parentURL?.startsWith('file:')
    ) {
      const source = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
      if (existsSync(fileURLToPath(source))) return { url: source.href, shortCircuit: true };
    }
    return next(specifier, {
      ...context,
      conditions: ['@sotto/source', ...(context.conditions ?? [])],
    });
  },
  load(url, context, next) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), {
      filename,
      jsc: { parser: { syntax: 'typescript' }, target: 'es2024', keepClassNames: true },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
