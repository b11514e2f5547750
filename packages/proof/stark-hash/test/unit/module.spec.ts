import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { moduleSource } from '../../src/codegen/module.js';
import {
  FULL_ROUNDS,
  PARTIAL_ROUNDS,
  constantsInOrder,
  roundConstants,
} from '../../src/codegen/round-constants.js';

describe('the module', () => {
  it('the built stark-hash module was compiled from the current sources', () => {
    expect(readFileSync(new URL('../../dist/sponge.ts', import.meta.url), 'utf8')).toBe(
      moduleSource(),
    );
  });

  it('the compiled stark-hash module is small and has no imports', () => {
    const code = readFileSync(new URL('../../dist/sponge.wasm', import.meta.url));
    expect(code.length).toBeLessThan(20_000);
    expect(code.includes('env')).toBe(false);
  });
});

describe('the round constants', () => {
  it('the Poseidon round constants equal those that Starknet publishes', () => {
    expect(roundConstants(0)).toEqual([
      2950795762459345168613727575620414179244544320470208355568817838579231751791n,
      1587446564224215276866294500450702039420286416111469274423465069420553242820n,
      1645965921169490687904413452218868659025437693527479459426157555728339600137n,
    ]);
  });

  it('the Poseidon round constants are merged to three for each full round and one for each partial round', () => {
    // There are three constants for each full round (those of round 0 come last), and one for each
    // partial round.
    expect(constantsInOrder()).toHaveLength(3 * 2 * FULL_ROUNDS + PARTIAL_ROUNDS);
  });
});
