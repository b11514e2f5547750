import { describe, expect, it } from '@jest/globals';
import { inTurns } from '../../src/measure/in-turns.js';

describe('measuring in turns', () => {
  it('inTurns measures all subjects one after the other in each round', async () => {
    const order: string[] = [];
    const subject = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      order.push(`${name} ends`);
      return `${name} ${order.length}`;
    };
    const found = await inTurns(
      2,
      new Map([
        ['one', subject('one')],
        ['other', subject('other')],
      ]),
    );
    const round = ['one begins', 'one ends', 'other begins', 'other ends'];
    expect(order).toEqual([...round, ...round]);
    expect([...found]).toEqual([
      ['one', ['one 2', 'one 6']],
      ['other', ['other 4', 'other 8']],
    ]);
  });
});
