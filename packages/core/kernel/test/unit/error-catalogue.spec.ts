import { describe, expect, it } from '@jest/globals';
import { DomainError, catalogued } from '@sotto/kernel';

const ENTRY = {
  code: 'SHOP_CLOSED',
  kind: 'unavailable',
  meaning: 'The shop is closed.',
  remedy: 'Come back tomorrow.',
} as const;

class ShopClosed extends catalogued(ENTRY) {}

describe('catalogued', () => {
  it('makes a class that carries its entry', () => {
    const { code, kind, meaning, remedy } = ShopClosed;
    expect({ code, kind, meaning, remedy }).toEqual(ENTRY);
  });

  it('gives its errors the code, the kind and the meaning, and what they are made with', () => {
    const cause = new Error('rain');
    const failure = new ShopClosed({ cause, details: { hour: 20 }, retryAfterSeconds: 60 });
    expect(failure).toBeInstanceOf(DomainError);
    expect(failure).toMatchObject({
      name: 'ShopClosed',
      code: ENTRY.code,
      kind: ENTRY.kind,
      message: ENTRY.meaning,
      cause,
      details: { hour: 20 },
      retryAfterSeconds: 60,
    });
  });
});
