import { Revert, type ContractModel } from '../../src/engine/contract.js';
import { selectorOf } from '../../src/engine/felt.js';

/** Contract for tests of the engine: a counter whose entry points succeed or fail. */
export const COUNTER: ContractModel = {
  name: 'counter',
  classHash: 0xc0def00dn,
  entrypoints: {
    increase: (context, [by = 1n]) => {
      context.useL2Gas(10_000n);
      context.set('value', context.get('value') + by);
      context.emit([selectorOf('Increased')], [by]);
      return [context.get('value')];
    },
    value: (context) => [context.get('value')],
    caller_and_block: (context) => [
      context.caller,
      BigInt(context.block.number),
      BigInt(context.block.timestampSeconds),
    ],
    /** Emits the proof facts of the transaction. */
    proof_facts: (context) => {
      context.emit([selectorOf('Facts')], context.transaction.proofFacts);
      return [];
    },
    fail: (context) => {
      context.set('value', 999n);
      throw new Revert('counter is broken');
    },
    crash: () => {
      throw new TypeError('a mistake in the model');
    },
    burn: (context, [amount = 0n]) => {
      context.useL2Gas(amount);
      return [];
    },
    /** Calls `fail` of another counter contract. The failure is not caught. */
    fail_through: (context, [other = 0n]) => context.call(other, 'fail', []),
    /** Calls `fail` of another counter contract, catches the failure and continues. */
    survive: (context, [other = 0n]) => {
      try {
        context.call(other, 'fail', []);
      } catch (error) {
        if (!(error instanceof Revert)) throw error;
      }
      context.set('value', context.get('value') + 1n);
      return [];
    },
  },
};
