import { hash } from 'node:crypto';
import { transformSync, version } from '@swc/core';

const optionsOf = (filename) => ({
  jsc: {
    parser: { syntax: 'typescript', tsx: filename.endsWith('.tsx') },
    transform: { react: { runtime: 'automatic', importSource: 'preact' } },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
  // swc must not search for configuration files, because it would search again for each source.
  swcrc: false,
  filename,
});

/**
 * Jest transformer for TypeScript. The cache key depends only on the source. The key of `@swc/jest`
 * also contains Jest's configuration, so each package would have to translate sources again that
 * another package has already translated.
 */
export default {
  getCacheKey(source, filename) {
    return hash('sha256', JSON.stringify([optionsOf(filename), version, source]));
  },
  process(source, filename) {
    const { code, map } = transformSync(source, optionsOf(filename));
    return { code, map };
  },
};
