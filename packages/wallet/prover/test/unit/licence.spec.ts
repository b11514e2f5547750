import { readFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';

const text = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the licence of this package', () => {
  it('the licence of the prover package is the GPL, because circomlib and snarkjs have this licence', async () => {
    expect(JSON.parse(await text('package.json'))).toMatchObject({
      license: 'GPL-3.0-or-later',
    });
    expect(await text('circuits/withdraw.circom')).toMatch(
      /^\/\/ SPDX-License-Identifier: GPL-3\.0-or-later\n/,
    );
  });

  it('the prover package includes the full text of its licence', async () => {
    const licence = await text('LICENSE');
    expect(licence).toMatch(/^\s*GNU GENERAL PUBLIC LICENSE\s+Version 3, 29 June 2007/);
    expect(licence).toContain('17. Interpretation of Sections 15 and 16.');
    expect(licence).toContain('END OF TERMS AND CONDITIONS');
    expect(licence.length).toBeGreaterThan(30_000);
  });
});
