// Makes Node run this workspace's TypeScript sources directly, without a build.
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const NO_JEST =
  'data:text/javascript,const none=()=>{};export const describe=none,it=none,expect=none,afterEach=none,beforeEach=none,afterAll=none,beforeAll=none,jest={};';

registerHooks({
  resolve(specifier, context, next) {
    // The imported fakes are in the same files as contract test suites. These suites must not run
    // here.
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
