import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const AUDIT = fileURLToPath(new URL('../../src/audit', import.meta.url));
const IMPORTED = /from '([^']+)'/g;
/**
 * Modules that the audit may import: types of rows with their helpers, and ports. Modules that
 * decide or send are not allowed.
 */
const ALLOWED = [
  /^@sotto\/kernel$/,
  /^\.\/[a-z-]+(\.port)?\.js$/,
  /^\.\.\/ports\/[a-z-]+\.port\.js$/,
  /^\.\.\/domain\/(rows|transaction-status)\.js$/,
];

describe('the audit', () => {
  it.each(readdirSync(AUDIT))('the audit module imports only row types and ports: %s', (file) => {
    const imported = [...readFileSync(join(AUDIT, file), 'utf8').matchAll(IMPORTED)].map(
      ([, name]) => name ?? '',
    );
    expect(imported.length).toBeGreaterThan(0);
    expect(imported.filter((name) => !ALLOWED.some((pattern) => pattern.test(name)))).toEqual([]);
  });
});
