import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeMalformedAnswer,
  NodeRefusedCall,
  SeenNonces,
  HeldKeys,
  StarknetAccountSigner,
  StarknetCallSimulator,
  selectorOf,
} from '@sotto/adapter-starknet';
import { Felts, toFelt } from '@sotto/kernel';
import type { SimulatedCall, SimulationResult } from '@sotto/submission-core';
import { transaction } from 'starknet';
import { z } from 'zod';
import { LoopbackNode, failure, type ScriptedAnswer } from '../support/loopback-node.js';
import { APPLY_ACTIONS, PAYLOAD, callsOf, packed } from '../support/private-actions.js';

const SIMULATION = 'starknet_simulateTransactions';
const ACCOUNT = toFelt('0xacc');
const CALL = { to: toFelt('0xc0'), entrypoint: 'private_swap', calldata: Felts.of([7n, 8n]) };

const EXECUTED = { calls: [], is_reverted: false };
const GAS = { l2_gas_consumed: '0x38444c0', l1_gas_consumed: '0x0', l1_data_gas_consumed: '0x240' };
const SUCCESS = { ok: true, gas: { l2Gas: 59_000_000n, l1Gas: 0n, l1DataGas: 576n } };
const simulation = (execution: unknown, type: unknown = 'INVOKE', gas: unknown = GAS): unknown => ({
  transaction_trace: { type, execute_invocation: execution },
  fee_estimation: gas,
});
const traced = (execution: unknown, type?: unknown): ScriptedAnswer => ({
  result: [simulation(execution, type)],
});
const bound = (amount: string): unknown => ({ max_amount: amount, max_price_per_unit: '0x0' });
const NOT_RUN: ScriptedAnswer = {
  error: {
    code: 41,
    message: 'Transaction execution error',
    data: { execution_error: 'any words' },
  },
};

const notRun = (execution_error: string): ScriptedAnswer => ({
  error: { code: 41, message: 'Transaction execution error', data: { execution_error } },
});

/** Builds a call in a trace. */
const called = (entrypoint: string, calldata: readonly string[], calls: unknown[] = []) => ({
  contract_address: '0x0C1',
  entry_point_selector: selectorOf(entrypoint),
  calldata,
  calls,
});

let node: LoopbackNode;
beforeEach(async () => {
  node = await LoopbackNode.start();
});
afterEach(async () => node.stop());

/**
 * Runs a simulation on a node that returns nonces and simulation results from the given lists in
 * order. The last entry of a list is repeated.
 */
async function simulate(
  nonces: readonly string[],
  answers: readonly ScriptedAnswer[],
): Promise<SimulationResult> {
  const left = { nonces: [...nonces], answers: [...answers] };
  node.answer = ({ method }) => {
    if (method === 'starknet_getNonce')
      return { result: left.nonces.length > 1 ? left.nonces.shift() : left.nonces[0] };
    const answer = left.answers.length > 1 ? left.answers.shift() : left.answers[0];
    if (method !== SIMULATION || answer === undefined) throw new Error(`unexpected ${method}`);
    return answer;
  };
  return new StarknetCallSimulator(node.client()).simulate(CALL, ACCOUNT);
}

/** Returns the nonces of the simulated transactions. */
function simulatedNonces(): readonly unknown[] {
  const Params = z.object({ transactions: z.tuple([z.object({ nonce: z.string() })]) });
  return node
    .calls()
    .filter(({ method }) => method === SIMULATION)
    .map(({ params }) => Params.parse(params).transactions[0].nonce);
}

describe('StarknetCallSimulator for an account', () => {
  it('simulates the unsigned transaction at the latest block, without a fee', async () => {
    expect(await simulate(['0x7'], [traced(EXECUTED)])).toEqual(SUCCESS);
    const requested = {
      method: 'starknet_getNonce',
      params: { block_id: 'latest', contract_address: ACCOUNT },
    };
    expect(node.calls().map(({ method, params }) => ({ method, params }))).toEqual([
      requested,
      // The nonce is read again together with the simulation, because a block may have consumed it.
      requested,
      {
        method: SIMULATION,
        params: {
          block_id: 'latest',
          simulation_flags: ['SKIP_VALIDATE', 'SKIP_FEE_CHARGE'],
          transactions: [
            {
              type: 'INVOKE',
              version: '0x3',
              sender_address: ACCOUNT,
              calldata: ['0x1', CALL.to, selectorOf(CALL.entrypoint), '0x2', '0x7', '0x8'],
              signature: [],
              nonce: '0x7',
              resource_bounds: {
                l1_gas: bound('0x100'),
                l1_data_gas: bound('0x5000'),
                l2_gas: bound('0x47868c00'),
              },
              tip: '0x0',
              paymaster_data: [],
              account_deployment_data: [],
              nonce_data_availability_mode: 'L1',
              fee_data_availability_mode: 'L1',
            },
          ],
        },
      },
    ]);
  });

  it('T3: a simulation at the pre-confirmed block neither uses nor fills the nonce cache', async () => {
    node.answer = ({ method }) =>
      method === 'starknet_getNonce' ? { result: '0x9' } : traced(EXECUTED);
    const seen = new SeenNonces();
    seen.note(ACCOUNT, 7n);
    const simulator = new StarknetCallSimulator(node.client(), seen);
    expect(await simulator.simulate(CALL, ACCOUNT, { at: 'pre_confirmed' })).toEqual(SUCCESS);
    expect(node.calls().map(({ params }) => params['block_id'])).toEqual([
      'pre_confirmed',
      'pre_confirmed',
      'pre_confirmed',
    ]);
    expect([simulatedNonces(), seen.of(ACCOUNT)]).toEqual([['0x9'], 7n]);
  });

  it('T2: a simulation returns all calls of the watched entry point in the order of execution', async () => {
    const router = (word: string) => called('multi_route_swap', [word]);
    const calls = [
      called('private_swap', ['0x1'], [called('withdraw', [], [router('0x2')]), router('0x3')]),
      router('0x4'),
    ];
    node.answer = ({ method }) =>
      method === 'starknet_getNonce' ? { result: '0x7' } : traced({ calls, is_reverted: false });
    const simulator = new StarknetCallSimulator(node.client());
    expect(await simulator.simulate(CALL, ACCOUNT, { watch: 'multi_route_swap' })).toEqual({
      ...SUCCESS,
      watched: [2n, 3n, 4n].map((word) => ({ to: '0xc1', calldata: Felts.of([word]) })),
    });
    expect(await simulator.simulate(CALL, ACCOUNT)).toEqual(SUCCESS);
  });

  it.each([
    ['no call', 7],
    [
      'a call without calldata',
      { contract_address: '0x1', entry_point_selector: '0x2', calls: [] },
    ],
    [
      'a watched call whose calldata is no felts',
      {
        contract_address: '0x1',
        entry_point_selector: selectorOf('multi_route_swap'),
        calldata: ['x'],
        calls: [],
      },
    ],
  ])(
    'rejects a simulation’s trace with %s as malformed if an entry point is watched',
    async (_what, call) => {
      node.answer = ({ method }) =>
        method === 'starknet_getNonce'
          ? { result: '0x7' }
          : traced({ calls: [call], is_reverted: false });
      const simulator = new StarknetCallSimulator(node.client());
      expect(
        await failure(simulator.simulate(CALL, ACCOUNT, { watch: 'multi_route_swap' })),
      ).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('simulates exactly the calldata that the signer would sign', async () => {
    await simulate(['0x0'], [traced(EXECUTED)]);
    const Transaction = z.object({ calldata: z.array(z.string()) });
    const simulated = z.tuple([Transaction]).parse(node.calls().at(-1)?.params['transactions'])[0];
    const signer = new StarknetAccountSigner({
      chainId: toFelt('0x1'),
      keys: new HeldKeys([{ address: ACCOUNT, privateKey: '0x5' }]),
    });
    try {
      const free = { maxAmount: 1n, maxPriceFri: 1n };
      const bounds = { l2Gas: free, l1Gas: free, l1DataGas: free, tipFri: 0n };
      const hashed = await signer.hashCall(CALL, CALL.calldata);
      const { bytes } = await signer.signCall(hashed, { account: ACCOUNT, nonce: 0n, bounds });
      expect(simulated.calldata).toEqual(
        Transaction.parse(JSON.parse(new TextDecoder().decode(bytes))).calldata,
      );
    } finally {
      await signer.close();
    }
  });

  it('a simulation returns the revert reason of the innermost frame', async () => {
    const reason = [
      'Transaction execution has failed:',
      '0: Error in the called contract (contract address: 0x0acc, class hash: 0x01, selector: 0x02):',
      "(0x496e73756666696369656e7420746f6b656e73207265636569766564 ('Insufficient tokens received'), 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'))",
    ].join('\n');
    expect(await simulate(['0x0'], [traced({ revert_reason: reason })])).toEqual({
      ok: false,
      reason: 'Insufficient tokens received',
    });
  });

  it('repeats the simulation if a block has consumed the nonce', async () => {
    expect(await simulate(['0x7', '0x8'], [NOT_RUN, traced(EXECUTED)])).toEqual(SUCCESS);
    expect(simulatedNonces()).toEqual(['0x7', '0x8']);
  });

  it('S13 a simulation needs only one request if the account’s nonce is already known', async () => {
    node.answer = ({ method }) =>
      method === 'starknet_getNonce' ? { result: '0x7' } : traced(EXECUTED);
    const seen = new SeenNonces();
    seen.note(ACCOUNT, 7n);
    expect(await new StarknetCallSimulator(node.client(), seen).simulate(CALL, ACCOUNT)).toEqual(
      SUCCESS,
    );
    expect([node.bodies.length, simulatedNonces()]).toEqual([1, ['0x7']]);
  });

  it('repeats the simulation if a block arrived after the nonce was read', async () => {
    expect(await simulate(['0x7', '0x7', '0x8'], [NOT_RUN, traced(EXECUTED)])).toEqual(SUCCESS);
    expect(simulatedNonces()).toEqual(['0x7', '0x8']);
  });

  it('a simulation fails after the fourth attempt if each block consumes the nonce', async () => {
    const nonces = ['0x7', '0x8', '0x9', '0xa', '0xb'];
    expect(await simulate(nonces, [NOT_RUN, NOT_RUN, NOT_RUN, traced(EXECUTED)])).toEqual(SUCCESS);
    expect(simulatedNonces()).toEqual(['0x7', '0x8', '0x9', '0xa']);
    node.bodies.length = 0;
    expect(await failure(simulate(nonces, [NOT_RUN]))).toBeInstanceOf(NodeRefusedCall);
    expect(simulatedNonces()).toEqual(['0x7', '0x8', '0x9', '0xa']);
  });

  it('a simulation throws an error if the transaction fails at the current nonce', async () => {
    const error = await failure(simulate(['0x7'], [NOT_RUN]));
    expect(error).toMatchObject({ code: 'NODE_REFUSED_CALL', details: { rpcCode: 41 } });
    expect(JSON.stringify(error)).not.toContain('any words');
    expect(simulatedNonces()).toEqual(['0x7']);
  });

  it.each([[20], [24], [40], [-32_601], [-32_603]])(
    'a simulation does not treat the node error %d as a revert, and is not repeated',
    async (code) => {
      const error = await failure(
        simulate(['0x7'], [{ error: { code, message: 'any', data: { revert_error: 'paused' } } }]),
      );
      expect(error).toMatchObject({ code: expect.stringMatching(/^NODE_/) });
      expect(simulatedNonces()).toHaveLength(1);
    },
  );

  it.each<readonly [string, ScriptedAnswer]>([
    ['no simulation', { result: [] }],
    ['two simulations', { result: [simulation(EXECUTED), simulation(EXECUTED)] }],
    ['an object', { result: {} }],
    ['a trace without execution', { result: [{ transaction_trace: { type: 'INVOKE' } }] }],
    ['an empty execution', traced({})],
    ['an execution that is reverted without a reason', traced({ calls: [], is_reverted: true })],
    ['a revert reason that is no text', traced({ revert_reason: 1 })],
    ['the trace of another kind', traced(EXECUTED, 'DECLARE')],
    ['an execution without its gas', { result: [simulation(EXECUTED, 'INVOKE', {})] }],
    [
      'gas that is no number',
      { result: [simulation(EXECUTED, 'INVOKE', { ...GAS, l2_gas_consumed: 'much' })] },
    ],
    [
      'more gas than there is',
      {
        result: [
          simulation(EXECUTED, 'INVOKE', { ...GAS, l2_gas_consumed: '0x10000000000000000' }),
        ],
      },
    ],
  ])(
    'rejects the simulation result %s as malformed instead of treating it as a success',
    async (_what, answer) => {
      expect(await failure(simulate(['0x7'], [answer]))).toBeInstanceOf(NodeMalformedAnswer);
    },
  );

  it('rejects an account’s nonce outside the range of nonces', async () => {
    expect(await failure(simulate([`0x${'f'.repeat(64)}`], [traced(EXECUTED)]))).toBeInstanceOf(
      NodeMalformedAnswer,
    );
  });
});

describe('StarknetCallSimulator with private actions', () => {
  const action = { ...APPLY_ACTIONS, calldata: packed() };
  const simulated = async (
    answer: ScriptedAnswer,
    call: SimulatedCall = action,
  ): Promise<SimulationResult> => {
    node.answer = ({ method }) => (method === 'starknet_getNonce' ? { result: '0x7' } : answer);
    return new StarknetCallSimulator(node.client()).simulate(call, ACCOUNT);
  };

  it('simulates the calls of the payload as a transaction with proof facts and proof', async () => {
    expect(await simulated(traced(EXECUTED))).toEqual(SUCCESS);
    const params = node.calls().find(({ method }) => method === SIMULATION)?.params;
    expect(params).toMatchObject({
      transactions: [
        {
          sender_address: ACCOUNT,
          calldata: transaction
            .getExecuteCalldata([...callsOf(PAYLOAD)], '1')
            .map((felt) => toFelt(BigInt(felt))),
          proof_facts: PAYLOAD.facts.toHex(),
          proof: Buffer.from(PAYLOAD.proof).toString('base64'),
          resource_bounds: { l2_gas: bound('0x47868c00') },
        },
      ],
    });
  });

  it('returns proof facts that the node rejects as a failed simulation, without long numbers', async () => {
    const answer = notRun(
      'Invalid proof facts: Block hash mismatch for block 7. Proof block hash: 1234567, stored block hash: 0x12.',
    );
    expect(await simulated(answer)).toEqual({
      ok: false,
      reason:
        'Invalid proof facts: Block hash mismatch for block 7. Proof block hash: #, stored block hash: #.',
    });
    expect(simulatedNonces()).toHaveLength(1);
  });

  it('rejects if the head of the node is too low for the proof', async () => {
    const answer = notRun('Invalid proof facts: The proof block number 9 is too recent. The end.');
    expect(await failure(simulated(answer))).toBeInstanceOf(NodeRefusedCall);
  });

  it('does not read this text in the simulation of another call', async () => {
    const answer = notRun('Invalid proof facts: Proof version 1 is not allowed');
    expect(await failure(simulated(answer, CALL))).toBeInstanceOf(NodeRefusedCall);
  });

  it('throws without an account, because the pool would not see any proof facts', async () => {
    node.answer = () => ({ result: [] });
    const work = new StarknetCallSimulator(node.client()).simulate(action);
    expect(await failure(work)).toMatchObject({
      message: 'private actions are simulated as a transaction of an account',
    });
    expect(node.calls()).toEqual([]);
  });
});
