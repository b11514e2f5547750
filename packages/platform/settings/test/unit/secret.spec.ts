import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/index.js';

describe('Secret', () => {
  it('only reveal() returns the value of a secret', () => {
    const secret = new Secret('marker');
    expect(secret.reveal()).toBe('marker');
    const printed = [
      String(secret),
      JSON.stringify({ secret }),
      inspect({ secret }, { showHidden: true, depth: 9 }),
      Object.keys(secret).join(),
    ];
    for (const text of printed) expect(text).not.toContain('marker');
    expect(JSON.stringify(secret)).toBe('"[redacted]"');
  });
});
