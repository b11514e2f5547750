import { createHash } from 'node:crypto';
import { transformSync, version } from '@swc/core';

const OPTIONS = {
  jsc: { parser: { syntax: 'typescript' }, target: 'es2023', keepClassNames: true },
  module: { type: 'es6' },
  sourceMaps: true,
  // No search for files with further options, once per source.
  swcrc: false,
};
const settings = JSON.stringify([OPTIONS, version]);

/**
 * Jest transformer for TypeScript. Its cache key names the source alone: the key of `@swc/jest`
 * includes Jest's configuration, so each package would translate the sources of all others again.
 */
export default {
  getCacheKey(source, filename) {
    const hash = createHash('sha256');
    for (const part of [settings, filename, source]) hash.update(part).update('\0');
    return hash.digest('hex');
  },
  process(source, filename) {
    const { code, map } = transformSync(source, { ...OPTIONS, filename });
    return { code, map };
  },
};
