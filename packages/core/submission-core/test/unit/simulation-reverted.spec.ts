import { describe, expect, it } from '@jest/globals';
import { SimulationReverted, simulationReverted } from '../../src/index.js';

describe('simulationReverted', () => {
  it('simulationReverted returns an error with the contract’s reason, in which numbers are hidden', () => {
    const error = simulationReverted('note 0x1234567890 is spent');
    expect(error).toBeInstanceOf(SimulationReverted);
    expect(error).toMatchObject({
      code: 'SIMULATION_REVERTED',
      details: { reason: 'note # is spent' },
    });
  });
});
