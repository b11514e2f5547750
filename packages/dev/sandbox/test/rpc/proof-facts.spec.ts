import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { toHex } from '../../src/engine/felt.js';
import {
  configHashOf,
  OUTPUT_VERSION,
  PROGRAM_VARIANT,
  PROOF_VERSION,
  substituteProof,
  VIRTUAL_PROGRAM_HASH,
} from '../../src/engine/proof-facts.js';
import { startHarness, type Harness } from '../support/harness.js';
import { ALICE, COUNTER_1, STRK } from '../support/world.js';
import { wireInvoke, type InvokeChoices } from '../support/wire-invoke.js';

const CHAIN_ID = 0x534e5f54455354n;
const MESSAGE = 0x5e5an;
const INVALID_PROOF = {
  code: 69,
  message: 'The proof field in the invoke v3 transaction is invalid',
};

describe('proof facts of an INVOKE', () => {
  let node: Harness;
  beforeEach(async () => {
    node = await startHarness();
    node.control.mine(12);
  });
  afterEach(() => node.stop());

  const hashOf = async (block: number): Promise<bigint> =>
    BigInt(
      Object(await node.result('starknet_getBlockWithTxHashes', [{ block_number: block }]))
        .block_hash,
    );
  /** Returns valid facts for a base block, with the felts at the given positions replaced. */
  const factsAt = async (
    block: number,
    changes: Readonly<Record<number, bigint>> = {},
  ): Promise<bigint[]> =>
    [
      PROOF_VERSION,
      PROGRAM_VARIANT,
      VIRTUAL_PROGRAM_HASH,
      OUTPUT_VERSION,
      BigInt(block),
      await hashOf(block),
      configHashOf(CHAIN_ID, STRK),
      1n,
      MESSAGE,
    ].map((fact, index) => changes[index] ?? fact);
  const readsFacts = { to: COUNTER_1, entrypoint: 'proof_facts' };
  const choicesOf = (proofFacts: readonly bigint[], proof?: string): InvokeChoices => ({
    account: ALICE,
    calls: [readsFacts],
    proofFacts,
    ...(proof !== undefined && { proof }),
  });
  const simulate = (choices: InvokeChoices, changes: object = {}): Promise<unknown> =>
    node.result('starknet_simulateTransactions', [
      'pre_confirmed',
      [{ ...wireInvoke(choices).body, ...changes }],
      ['SKIP_VALIDATE'],
    ]);

  it('the config hash of Sepolia equals the one that starknet-devnet computes', () => {
    expect(toHex(configHashOf(0x534e5f5345504f4c4941n, STRK))).toBe(
      '0x1b9900f77ff5923183a7795fcfbb54ed76917bc1ddd4160cc77fa96e36cf8c5',
    );
  });

  it('the node accepts facts with their substitute proof, and the contract reads the facts', async () => {
    const facts = await factsAt(3);
    const hash = await node.send(choicesOf(facts));
    node.control.mine();
    expect(await node.status(hash)).toMatchObject({ execution_status: 'SUCCEEDED' });
    const { events } = Object(await node.result('starknet_getTransactionReceipt', [hash]));
    expect(events[0].data).toEqual(facts.map(toHex));
  });

  it('a transaction with facts pays 75 M L2 gas for its proof', async () => {
    const facts = await factsAt(3);
    const gasOf = async (proofFacts: readonly bigint[]): Promise<number> => {
      const [{ fee_estimation: estimate }] = Object(await simulate(choicesOf(proofFacts)));
      return Number(estimate.l2_gas_consumed);
    };
    expect((await gasOf(facts)) - (await gasOf([]))).toBe(75_000_000 + 9 * 5120);
    const tight = { ...choicesOf(facts), l2Gas: [75_000_000n, 24_000_000_000n] as const };
    expect(await node.refused(tight)).toMatchObject({ code: 53 });
  });

  it('the node rejects a wrong proof, a missing proof and missing facts with error 69', async () => {
    const facts = await factsAt(3);
    const good = choicesOf(facts);
    for (const proof of ['AAAA', '', substituteProof([...facts.slice(0, 8), MESSAGE + 1n])])
      expect(await node.refused(choicesOf(facts, proof))).toEqual(INVALID_PROOF);
    expect(await node.refused(good, { proof: undefined })).toEqual(INVALID_PROOF);
    expect(await node.refused(good, { proof_facts: undefined })).toEqual(INVALID_PROOF);
    expect(await node.refused(good, { proof_facts: [] })).toEqual(INVALID_PROOF);
    expect(await node.refused(good, { proof: 'not base64' })).toMatchObject({ code: -32602 });
  });

  it('a transaction hash covers the facts, so changed facts need another signature', async () => {
    const facts = await factsAt(3);
    const changed = [...facts.slice(0, 8), MESSAGE + 1n];
    expect(
      await node.refused(choicesOf(facts), {
        proof_facts: changed.map(toHex),
        proof: substituteProof(changed),
      }),
    ).toMatchObject({ code: 55 });
  });

  // The chain has 12 blocks after block 0, so the next block is 13 and the newest base block is 3.
  it.each([
    ['a base block 9 blocks before the next block', 4, {}, 'block number 4 is too recent'],
    ['a base block in the future', 3, { 4: 999n }, 'block number 999 is too recent'],
    ['a wrong base block hash', 3, { 5: 7n }, 'Block hash mismatch for block 3'],
    ['the config hash of another network', 3, { 6: 7n }, 'config hash mismatch'],
    ['an unknown program', 3, { 2: 7n }, 'program hash 7 is not allowed'],
    ['another proof version', 3, { 0: 7n }, 'Expected first field'],
    ['another program variant', 3, { 1: 7n }, 'Expected second field'],
    ['another output version', 3, { 3: 7n }, 'Expected SNOS proof facts version'],
  ])(
    'the node rejects facts with %s: error 69 when sent, error 41 when simulated',
    async (_name, block, changes, text) => {
      const choices = choicesOf(await factsAt(block, changes));
      expect(await node.refused(choices)).toEqual(INVALID_PROOF);
      const { body } = wireInvoke(choices);
      for (const [method, params] of [
        ['starknet_simulateTransactions', ['pre_confirmed', [body], ['SKIP_VALIDATE']]],
        ['starknet_estimateFee', [[body], ['SKIP_VALIDATE'], 'pre_confirmed']],
      ] as const)
        expect(await node.error(method, params)).toMatchObject({
          code: 41,
          data: { transaction_index: 0, execution_error: expect.stringContaining(text) },
        });
    },
  );

  it('the node rejects facts without a hash of the configuration', async () => {
    const facts = await factsAt(3);
    expect(await node.refused(choicesOf(facts.slice(0, 6)))).toEqual(INVALID_PROOF);
  });

  it('a simulation needs neither a proof nor a signature', async () => {
    const facts = await factsAt(3);
    for (const changes of [{ proof: undefined }, { proof: 'AAAA' }, { signature: [] }])
      expect(await simulate(choicesOf(facts), changes)).toMatchObject([
        { transaction_trace: { execute_invocation: { result: expect.any(Array) } } },
      ]);
  });

  it('replies contain the facts only with the flag INCLUDE_PROOF_FACTS, and never the proof', async () => {
    const facts = await factsAt(3);
    const hash = await node.send(choicesOf(facts));
    const plain = await node.send({ account: ALICE, nonce: 1n });
    node.control.mine();
    const flags = ['INCLUDE_PROOF_FACTS'];
    const rendered = facts.map(toHex);
    const read = async (method: string, params: unknown): Promise<object> => {
      const found = Object(await node.result(method, params));
      expect(JSON.stringify(found)).not.toContain('"proof"');
      return found;
    };
    expect(await read('starknet_getTransactionByHash', [hash])).not.toHaveProperty('proof_facts');
    for (const [asked, expected] of [
      [hash, rendered],
      [plain, []],
    ] as const)
      expect(await read('starknet_getTransactionByHash', [asked, flags])).toMatchObject({
        proof_facts: expected,
      });
    expect(
      await read('starknet_getTransactionByBlockIdAndIndex', ['latest', 0, flags]),
    ).toMatchObject({ proof_facts: rendered });
    expect(await read('starknet_getBlockWithTxs', ['latest', flags])).toMatchObject({
      transactions: [{ proof_facts: rendered }, { proof_facts: [] }],
    });
    expect(await read('starknet_getBlockWithReceipts', ['latest', flags])).toMatchObject({
      transactions: [{ transaction: { proof_facts: rendered } }, {}],
    });
    expect(JSON.stringify(await read('starknet_getBlockWithTxs', ['latest']))).not.toContain(
      'proof_facts',
    );
  });

  it('a block does not include a transaction whose base block was undone', async () => {
    const hash = await node.send(choicesOf(await factsAt(3)));
    node.control.advance('candidate');
    node.control.rollback(11);
    node.control.mine(12);
    expect(node.control.paidInclusions()).toEqual([]);
    expect(await node.error('starknet_getTransactionStatus', [hash])).toMatchObject({ code: 29 });
  });

  it('a trace of an included transaction executes it with its facts', async () => {
    const hash = await node.send(choicesOf(await factsAt(3)));
    node.control.mine();
    const { execute_invocation: execution } = Object(
      await node.result('starknet_traceTransaction', [hash]),
    );
    expect(execution.calls[0].events[0].data).toContain(toHex(MESSAGE));
  });
});

describe('a node that ignores proofs', () => {
  it('accepts any facts without a proof, and the contract reads them', async () => {
    const node = await startHarness({ proofs: { mode: 'none' } });
    try {
      for (const [nonce, changes] of [
        [0n, { proof: undefined }],
        [1n, { proof: 'AAAA' }],
      ] as const) {
        const { body } = wireInvoke({
          account: ALICE,
          nonce,
          calls: [{ to: COUNTER_1, entrypoint: 'proof_facts' }],
          proofFacts: [1n, 2n],
        });
        const sent = await node.result('starknet_addInvokeTransaction', [{ ...body, ...changes }]);
        node.control.mine();
        const { events } = Object(
          await node.result('starknet_getTransactionReceipt', [Object(sent).transaction_hash]),
        );
        expect(events[0].data).toEqual(['0x1', '0x2']);
      }
    } finally {
      await node.stop();
    }
  });
});
