import { describe, expect, it } from '@jest/globals';
import { selfTimes } from '../../src/profile/cpu-profile.js';

const node = (id: number, functionName: string, url: string): object => ({
  id,
  callFrame: { functionName, url },
});

describe('a profile', () => {
  it('selfTimes sums the self times of a CPU profile by function and package, without idle time', () => {
    const profile = {
      nodes: [
        node(1, '(idle)', ''),
        node(2, 'parse', 'file:///x/node_modules/.pnpm/zod@4.0.0/node_modules/zod/v4/core.js'),
        node(3, 'hash', 'file:///x/packages/stark-hash/dist/poseidon.js'),
        node(4, '', 'node:net'),
        node(5, 'parse', 'file:///x/node_modules/.pnpm/zod@4.0.0/node_modules/zod/v4/core.js'),
        node(6, '(garbage collector)', ''),
      ],
      samples: [1, 2, 3, 4, 5, 6, 2],
      timeDeltas: [1_000, 10, 50, 5, 20, 7, 30],
    };
    expect(selfTimes(JSON.stringify(profile))).toEqual([
      { name: 'parse', place: 'zod', micros: 60 },
      { name: 'hash', place: 'stark-hash: poseidon.js', micros: 50 },
      { name: '(garbage collector)', place: 'V8 and natives (garbage collector)', micros: 7 },
      { name: '(anonymous)', place: 'node:net', micros: 5 },
    ]);
  });
});
