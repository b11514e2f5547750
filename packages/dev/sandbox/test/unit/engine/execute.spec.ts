import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  executeCall,
  executeInvoke,
  SEQUENCER_ADDRESS,
  type ExecutionContext,
  type ExecutionOptions,
  type ExecutionResult,
} from '../../../src/engine/execute.js';
import { CallFailure, OutOfGas } from '../../../src/engine/failure.js';
import { balanceKey, balanceOf } from '../../../src/engine/fee.js';
import { selectorOf } from '../../../src/engine/felt.js';
import { History, Overlay } from '../../../src/engine/state.js';
import type { InvokeFields } from '../../../src/engine/transaction.js';
import { World } from '../../../src/engine/world.js';
import { ALICE, BOB, COUNTER_1, COUNTER_2, STRK, testGenesis } from '../../support/world.js';
import { multicall, type Call } from '../../support/wire-invoke.js';

const PRICES = { l1Gas: 1n, l1DataGas: 10n, l2Gas: 100n };
const context: ExecutionContext = {
  world: new World(testGenesis()),
  chainId: 0x534e5f54455354n,
  feeToken: STRK,
  block: { number: 5, timestampSeconds: 77 },
  prices: PRICES,
};
const CALLDATA_FELT = 5120n;

function fieldsOf(calldata: readonly bigint[], changes: Partial<InvokeFields> = {}): InvokeFields {
  return {
    version: '0x3',
    sender: ALICE.address,
    calldata,
    signature: [],
    nonce: 0n,
    bounds: {
      l1Gas: { maxAmount: 0n, maxPricePerUnit: 1n },
      l1DataGas: { maxAmount: 10_000n, maxPricePerUnit: 10n },
      l2Gas: { maxAmount: 1_000_000_000n, maxPricePerUnit: 100n },
    },
    tip: 0n,
    paymasterData: [],
    accountDeploymentData: [],
    nonceDataAvailabilityMode: 'L1',
    feeDataAvailabilityMode: 'L1',
    proofFacts: [],
    proof: '',
    ...changes,
  };
}

const reasonOf = ({ outcome }: ExecutionResult): string =>
  outcome.status === 'REVERTED' ? outcome.reason : 'it succeeded';

describe('execution of an INVOKE', () => {
  let state: Overlay;
  beforeEach(() => {
    state = new Overlay(new History().at(0));
    state.setStorage(STRK, balanceKey(ALICE.address), 10n ** 15n);
  });

  const run = (
    calls: readonly Call[],
    changes: Partial<InvokeFields> = {},
    options: ExecutionOptions = { chargeFee: true },
  ): ExecutionResult => executeInvoke(state, fieldsOf(multicall(calls), changes), context, options);
  const counterValue = (address = COUNTER_1): bigint => state.storage(address, 'value');

  it('the calls of an INVOKE are executed in order, with the account as caller', () => {
    const result = run([
      { to: COUNTER_1, entrypoint: 'increase', calldata: [2n] },
      { to: COUNTER_2, entrypoint: 'increase', calldata: [3n] },
      { to: COUNTER_1, entrypoint: 'caller_and_block' },
    ]);
    expect(result.outcome).toMatchObject({
      status: 'SUCCEEDED',
      invocation: { result: [3n, 1n, 2n, 1n, 3n, 3n, ALICE.address, 5n, 77n] },
    });
    expect([counterValue(), counterValue(COUNTER_2), state.nonce(ALICE.address)]).toEqual([
      2n,
      3n,
      1n,
    ]);
    expect(result.events.map(({ order, from }) => [order, from])).toEqual([
      [0, COUNTER_1],
      [1, COUNTER_2],
      [2, STRK],
    ]);
  });

  it('a failed call undoes all calls, but the nonce is consumed and the fee is charged', () => {
    const result = run([
      { to: COUNTER_1, entrypoint: 'increase', calldata: [2n] },
      { to: COUNTER_2, entrypoint: 'fail' },
    ]);
    expect(reasonOf(result)).toContain(
      "0x636f756e7465722069732062726f6b656e ('counter is broken')",
    );
    expect([counterValue(), counterValue(COUNTER_2), state.nonce(ALICE.address)]).toEqual([
      0n,
      0n,
      1n,
    ]);
    expect(balanceOf(state, STRK, ALICE.address)).toBe(10n ** 15n - result.fee);
    expect(result.events.map(({ from }) => from)).toEqual([STRK]);
  });

  it('the fee of an INVOKE is transferred to the sequencer, and the token supply does not change', () => {
    const { fee } = run([{ to: COUNTER_1, entrypoint: 'increase' }]);
    expect(fee).toBeGreaterThan(0n);
    expect(balanceOf(state, STRK, ALICE.address) + balanceOf(state, STRK, SEQUENCER_ADDRESS)).toBe(
      10n ** 15n,
    );
  });

  it('the gas of an INVOKE is the sum for calldata, contract models and changed slots', () => {
    const plain = run([{ to: COUNTER_1, entrypoint: 'value' }]);
    const longer = run([{ to: COUNTER_1, entrypoint: 'value', calldata: [0n, 0n, 0n] }]);
    expect(longer.used.l2Gas - plain.used.l2Gas).toBe(3n * CALLDATA_FELT);
    const burning = run([{ to: COUNTER_1, entrypoint: 'burn', calldata: [1_234n] }]);
    expect(burning.used.l2Gas - plain.used.l2Gas).toBe(1_234n + CALLDATA_FELT);
    const writing = run([{ to: COUNTER_1, entrypoint: 'increase' }]);
    expect(writing.used.l1DataGas - plain.used.l1DataGas).toBe(64n);
    const tipped = run([{ to: COUNTER_1, entrypoint: 'value' }], { tip: 7n });
    expect(tipped.fee - plain.fee).toBe(7n * plain.used.l2Gas);
    expect(plain.fee).toBe(plain.used.l2Gas * 100n + plain.used.l1DataGas * 10n);
  });

  it('an INVOKE that runs out of L2 gas reverts, and pays at most its maximum amount', () => {
    const bounds = {
      ...fieldsOf([]).bounds,
      l2Gas: { maxAmount: 500_000n, maxPricePerUnit: 100n },
    };
    const result = run([{ to: COUNTER_1, entrypoint: 'burn', calldata: [400_000n] }], { bounds });
    expect(reasonOf(result)).toContain('Insufficient max L2Gas: max amount: 500000');
    expect(result.used.l2Gas).toBe(500_000n);
  });

  it('the gas of an INVOKE is limited even if the INVOKE has no resource bounds', () => {
    const result = run(
      [{ to: COUNTER_1, entrypoint: 'burn', calldata: [2_000_000_000n] }],
      {},
      { chargeFee: false },
    );
    expect(result.used.l2Gas).toBe(1_100_000_000n);
    expect(result.outcome.status).toBe('REVERTED');
  });

  it('an INVOKE reverts if its data gas exceeds the maximum amount', () => {
    const bounds = { ...fieldsOf([]).bounds, l1DataGas: { maxAmount: 130n, maxPricePerUnit: 10n } };
    const result = run([{ to: COUNTER_1, entrypoint: 'increase' }], { bounds });
    expect(reasonOf(result)).toBe('Insufficient max L1DataGas: max amount: 130, actual used: 192.');
    expect([counterValue(), result.used.l1DataGas]).toEqual([0n, 128n]);
  });

  it('an INVOKE reverts if its calls leave too little of the balance for the fee', () => {
    const all = 10n ** 15n;
    const result = run([{ to: STRK, entrypoint: 'transfer', calldata: [BOB.address, all, 0n] }]);
    expect(reasonOf(result)).toContain('Insufficient fee token balance');
    expect([balanceOf(state, STRK, BOB.address), balanceOf(state, STRK, ALICE.address)]).toEqual([
      0n,
      all - result.fee,
    ]);
  });

  it('a contract can continue after its call to another contract failed', () => {
    const result = run([{ to: COUNTER_1, entrypoint: 'survive', calldata: [COUNTER_2] }]);
    expect(result.outcome.status).toBe('SUCCEEDED');
    expect([counterValue(), counterValue(COUNTER_2)]).toEqual([1n, 0n]);
  });

  it('the revert reason lists the frames of nested calls from the outermost to the innermost', () => {
    const lines = reasonOf(
      run([{ to: COUNTER_1, entrypoint: 'fail_through', calldata: [COUNTER_2] }]),
    ).split('\n');
    expect(lines.map((line) => /contract address: 0x0*([0-9a-f]+)/.exec(line)?.[1])).toEqual([
      undefined,
      'a11ce',
      undefined,
      'a11ce',
      'c1',
      'c2',
      undefined,
      undefined,
    ]);
  });

  it('an error in a contract model reverts the INVOKE, with the error’s message as the reason', () => {
    expect(reasonOf(run([{ to: COUNTER_1, entrypoint: 'crash' }]))).toContain(
      'the contract model failed: a mistake in the model',
    );
  });

  it('an INVOKE reverts on an unknown contract, an unknown entry point and a malformed multicall', () => {
    expect(reasonOf(run([{ to: 0xdeadn, entrypoint: 'value' }]))).toContain(
      'Requested contract address 0xdead is not deployed.',
    );
    expect(reasonOf(run([{ to: COUNTER_1, entrypoint: 'nothing' }]))).toContain(
      'ENTRYPOINT_NOT_FOUND',
    );
    for (const calldata of [
      [],
      [1n],
      [1n, COUNTER_1],
      [1n, COUNTER_1, 2n, 5n, 0n],
      [2n ** 200n],
      [1n, COUNTER_1, 2n, 2n ** 100n],
    ]) {
      const result = executeInvoke(state, fieldsOf(calldata), context, { chargeFee: true });
      expect(reasonOf(result)).toContain("('Failed to deserialize param #1')");
    }
    const tooLong = executeInvoke(state, fieldsOf([0n, 9n]), context, { chargeFee: true });
    expect(reasonOf(tooLong)).toContain("('Input too long for arguments')");
  });

  it('an INVOKE with an empty multicall succeeds', () => {
    expect(run([]).outcome).toMatchObject({ status: 'SUCCEEDED', invocation: { result: [0n] } });
  });

  it('an INVOKE is charged no fee if `chargeFee` is false', () => {
    const result = run([{ to: COUNTER_1, entrypoint: 'increase' }], {}, { chargeFee: false });
    expect([result.feeTransfer, balanceOf(state, STRK, ALICE.address)]).toEqual([
      undefined,
      10n ** 15n,
    ]);
    expect(result.fee).toBeGreaterThan(0n);
  });
});

const call = (
  to: bigint,
  entrypoint: string,
  calldata: readonly bigint[] = [],
): readonly bigint[] =>
  executeCall(
    new Overlay(new History().at(0)),
    { to, selector: selectorOf(entrypoint), calldata },
    context,
  );

describe('execution of a call', () => {
  it('a read-only call returns the felts of the called view', () => {
    expect(call(COUNTER_1, 'caller_and_block')).toEqual([0n, 5n, 77n]);
  });

  it('a read-only call throws the failure of the called entry point', () => {
    expect(() => call(COUNTER_1, 'fail')).toThrow(CallFailure);
    expect(() => call(COUNTER_1, 'burn', [10n ** 12n])).toThrow(OutOfGas);
  });
});
