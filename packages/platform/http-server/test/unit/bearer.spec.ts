import { describe, expect, it } from '@jest/globals';
import { BearerTokens } from '../../src/index.js';

const secret = (text: string) => ({ reveal: () => text });

describe('several tokens', () => {
  const tokens = new BearerTokens([
    { name: 'old', token: secret('marker-old') },
    { name: 'new', token: secret('marker-new') },
  ]);

  it('each configured API token gives access to the route, under the name of its holder', () => {
    expect(
      ['Bearer marker-old', 'bearer  marker-new', 'Bearer marker-', 'Bearer '].map((text) =>
        tokens.holderOf(text),
      ),
    ).toEqual(['old', 'new', null, null]);
  });
});
