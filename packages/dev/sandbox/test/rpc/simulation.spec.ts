import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, BOB, COUNTER_1, COUNTER_2, POOR } from '../support/world.js';
import { wireInvoke, type InvokeChoices } from '../support/wire-invoke.js';

const increase: InvokeChoices = {
  account: ALICE,
  calls: [{ to: COUNTER_1, entrypoint: 'increase', calldata: [5n] }],
};
const SKIP = ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'];

const failure = (text: string): object => ({
  code: 41,
  data: { transaction_index: 0, execution_error: expect.stringContaining(text) },
});

const at = (address: string): unknown => ({
  ...wireInvoke(increase).body,
  sender_address: address,
});

const unsigned = (choices: InvokeChoices): unknown => ({
  ...wireInvoke(choices).body,
  signature: [],
});

describe('simulation', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
  });
  afterEach(() => node.stop());

  const simulate = (
    choices: readonly InvokeChoices[],
    flags: readonly string[] = [],
    block: unknown = 'latest',
  ): Promise<unknown> =>
    node.result('starknet_simulateTransactions', [
      block,
      choices.map((one) => wireInvoke(one).body),
      flags,
    ]);

  it('a simulation predicts the trace, gas and fee of the later execution of the transaction', async () => {
    const [simulated] = Object(await simulate([increase]));
    const hash = await node.send(increase);
    node.control.mine();
    const receipt = Object(await node.result('starknet_getTransactionReceipt', [hash]));
    expect(simulated.fee_estimation).toMatchObject({
      overall_fee: receipt.actual_fee.amount,
      l2_gas_consumed: toHex(BigInt(receipt.execution_resources.l2_gas)),
    });
    expect(simulated.transaction_trace).toMatchObject({
      type: 'INVOKE',
      validate_invocation: { contract_address: toHex(ALICE.address) },
      execute_invocation: {
        contract_address: toHex(ALICE.address),
        caller_address: '0x0',
        is_reverted: false,
        calls: [
          {
            contract_address: toHex(COUNTER_1),
            caller_address: toHex(ALICE.address),
            calldata: ['0x5'],
            result: ['0x5'],
            events: [{ order: 0, data: ['0x5'] }],
          },
        ],
      },
      fee_transfer_invocation: { result: ['0x1'] },
      execution_resources: receipt.execution_resources,
    });
  });

  it('a simulation never changes the state', async () => {
    // The open block has the current time as its timestamp. So the clock must not run between the
    // two reads.
    node.control.freezeClock();
    const before = await Promise.all([
      node.nonce(ALICE.address),
      node.view(COUNTER_1, 'value'),
      node.result('starknet_getBlockWithTxHashes', ['pre_confirmed']),
    ]);
    await simulate([increase, { ...increase, nonce: 1n }], [], 'pre_confirmed');
    await simulate([{ account: ALICE, calls: [{ to: COUNTER_1, entrypoint: 'fail' }] }]);
    await node.result('starknet_estimateFee', [[wireInvoke(increase).body], [], 'pre_confirmed']);
    expect(
      await Promise.all([
        node.nonce(ALICE.address),
        node.view(COUNTER_1, 'value'),
        node.result('starknet_getBlockWithTxHashes', ['pre_confirmed']),
      ]),
    ).toEqual(before);
    expect(node.control.waiting()).toEqual([]);
    expect(node.control.counters().deliveries).toEqual({});
  });

  it('a simulation executes each transaction on the state that the previous transaction has left', async () => {
    const results = Object(await simulate([increase, { ...increase, nonce: 1n }]));
    expect(
      results.map(
        (one: { transaction_trace: { execute_invocation: { calls: { result: unknown }[] } } }) =>
          one.transaction_trace.execute_invocation.calls[0]?.result,
      ),
    ).toEqual([['0x5'], ['0xa']]);
  });

  it('a simulation uses the state of the requested block', async () => {
    await node.send(increase);
    node.control.advance('candidate');
    node.control.advance('pre_confirmed');
    const resultAt = async (block: unknown): Promise<unknown> => {
      const [one] = Object(await simulate([{ ...increase, nonce: 1n }], [], block));
      return one.transaction_trace.execute_invocation.calls[0].result;
    };
    expect([await resultAt('latest'), await resultAt('pre_confirmed')]).toEqual([['0x5'], ['0xa']]);
  });

  it('a simulation returns a revert in the trace, together with the fee', async () => {
    const [simulated] = Object(
      await simulate([
        {
          account: ALICE,
          calls: [{ to: COUNTER_1, entrypoint: 'fail_through', calldata: [COUNTER_2] }],
        },
      ]),
    );
    const { revert_reason: reason } = simulated.transaction_trace.execute_invocation;
    expect(reason).toContain(
      "(0x636f756e7465722069732062726f6b656e ('counter is broken'), 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'))",
    );
    expect(simulated.fee_estimation).toMatchObject({
      unit: 'FRI',
      l2_gas_consumed: expect.stringMatching(/^0x[1-9a-f]/),
    });
  });

  it('a simulation checks signature, balance, prices and resource bounds unless a flag skips the check', async () => {
    const failing = (body: unknown, flags: readonly string[]): Promise<unknown> =>
      node.error('starknet_simulateTransactions', ['latest', [body], flags]);
    expect(await failing(unsigned(increase), [])).toMatchObject(failure('invalid signature'));
    expect(await failing(wireInvoke({ ...increase, account: POOR }).body, [])).toMatchObject(
      failure('exceed balance'),
    );
    expect(
      await failing(wireInvoke({ ...increase, l2Gas: [1_000_000_000n, 1n] }).body, []),
    ).toMatchObject(failure('max price'));
    const free = wireInvoke({
      ...increase,
      l1Gas: [0n, 0n],
      l1DataGas: [0n, 0n],
      l2Gas: [0n, 0n],
    }).body;
    expect(await failing(free, [])).toMatchObject(failure('max price'));
    const skipped = await node.result('starknet_simulateTransactions', [
      'latest',
      [unsigned({ ...increase, account: POOR, l2Gas: [1n, 1n] })],
      SKIP,
    ]);
    expect(skipped).toMatchObject([
      { transaction_trace: { execute_invocation: { calls: [{ result: ['0x5'] }] } } },
    ]);
    expect(skipped).not.toHaveProperty('0.transaction_trace.validate_invocation');
    expect(skipped).not.toHaveProperty('0.transaction_trace.fee_transfer_invocation');
  });

  it('a simulation rejects a used nonce even without validation', async () => {
    await node.send(increase);
    node.control.mine();
    expect(
      await node.error('starknet_simulateTransactions', ['latest', [unsigned(increase)], SKIP]),
    ).toMatchObject({
      code: 41,
      data: { execution_error: expect.stringContaining('Invalid transaction nonce') },
    });
    expect(await simulate([{ ...increase, nonce: 3n }], SKIP)).toHaveLength(1);
  });

  it('a failed simulation returns the index of the failed transaction', async () => {
    const bodies = [wireInvoke(increase).body, unsigned({ ...increase, account: BOB })];
    expect(await node.error('starknet_simulateTransactions', ['latest', bodies, []])).toMatchObject(
      {
        code: 41,
        data: { transaction_index: 1 },
      },
    );
  });

  it('a simulation rejects an address without a contract, and a contract that is not an account', async () => {
    expect(
      await node.error('starknet_estimateFee', [[at('0xdead')], ['SKIP_VALIDATE'], 'latest']),
    ).toMatchObject({ code: 20 });
    expect(
      await node.error('starknet_simulateTransactions', ['latest', [at('0xdead')], SKIP]),
    ).toMatchObject({ code: 41 });
    expect(
      await node.error('starknet_simulateTransactions', ['latest', [at(toHex(COUNTER_1))], SKIP]),
    ).toMatchObject({ code: 41 });
  });

  it('starknet_estimateFee accepts the query version and zero resource bounds, as wallets send them', async () => {
    const zero = { max_amount: '0x0', max_price_per_unit: '0x0' };
    const body = {
      ...wireInvoke(increase).body,
      version: '0x100000000000000000000000000000003',
      signature: [],
      resource_bounds: { l1_gas: zero, l1_data_gas: zero, l2_gas: zero },
    };
    const [estimate] = Object(
      await node.result('starknet_estimateFee', [[body], ['SKIP_VALIDATE'], 'latest']),
    );
    const [simulated] = Object(await simulate([increase]));
    expect(estimate).toEqual(simulated.fee_estimation);
  });

  it('the fee estimate of a reverting transaction returns error 41 with the frames of the called contracts', async () => {
    const body = wireInvoke({
      account: ALICE,
      calls: [{ to: COUNTER_1, entrypoint: 'fail' }],
    }).body;
    expect(await node.error('starknet_estimateFee', [[body], [], 'latest'])).toMatchObject({
      code: 41,
      data: {
        transaction_index: 0,
        execution_error: {
          contract_address: toHex(ALICE.address),
          error: { contract_address: toHex(COUNTER_1) },
        },
      },
    });
  });

  it('a simulation rejects unsupported flags and transaction types as invalid parameters', async () => {
    expect(
      await node.error('starknet_simulateTransactions', ['latest', [], ['RETURN_INITIAL_READS']]),
    ).toMatchObject({ code: -32602 });
    expect(
      await node.error('starknet_estimateFee', [[{ type: 'DECLARE' }], [], 'latest']),
    ).toMatchObject({ code: -32602 });
  });
});
