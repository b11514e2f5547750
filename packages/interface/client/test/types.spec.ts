import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { TYPES_FILE, generateTypes } from '../scripts/generate-types.js';

describe('the generated types', () => {
  it('are those of docs/reference/openapi.json now (pnpm --filter @sotto/client run types:write)', async () => {
    expect(readFileSync(TYPES_FILE, 'utf8')).toBe(await generateTypes());
  });
});
