import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const DIST = new URL('../../dist/', import.meta.url);
const BUNDLED = /^service.*\.js$/;

describe('the bundled service', () => {
  it('the bundled service contains only ASCII characters', () => {
    const files = readdirSync(DIST).filter((name) => BUNDLED.test(name));
    const wide = files.filter((name) =>
      readFileSync(new URL(name, DIST)).some((byte) => byte > 127),
    );
    expect(files).toContain('service.js');
    expect(wide).toEqual([]);
  });
});
