import { describe, expect, it } from '@jest/globals';
import { usedFri } from '../../src/index.js';

describe('usedFri', () => {
  it('usedFri multiplies each kind of gas by its own price and adds the products', () => {
    const gas = { l2Gas: 3n, l1Gas: 50n, l1DataGas: 700n };
    const prices = { l2GasFri: 11n, l1GasFri: 13n, l1DataGasFri: 17n };
    expect(usedFri(gas, prices)).toBe(33n + 650n + 11_900n);
  });
});
