import * as runner from '@jest/globals';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  NodeRefusedCall,
  StarknetAccountHistory,
  StarknetCallSimulator,
  StarknetPrivacyPoolReader,
  networkConfigHash,
} from '@sotto/adapter-starknet';
import { findDevnet } from '@sotto/deployment';
import { findStrk20Dump, Strk20Devnet } from '@sotto/deployment/testing';
import { Felts, toFelt, type Felt } from '@sotto/kernel';
import { effectsOf, messageHash, readApplyActions, readProofFacts } from '@sotto/relayer-core';
import { describePrivacyPoolReaderContract } from '@sotto/relayer-core/testing/contracts';
import { poseidon } from '@sotto/stark-hash';
import type { SimulationResult } from '@sotto/submission-core';
import { z } from 'zod';
import { failure } from '../support/loopback-node.js';
import { Strk20Chain, packedOf } from '../support/strk20-chain.js';

const DUMP = findStrk20Dump() ?? '';
const isGiven =
  process.env['SOTTO_TEST_NODE'] === 'devnet' && findDevnet() !== undefined && DUMP !== '';
const onRealPool = isGiven ? describe : describe.skip;
const [RECIPIENT, RELAYER] = [0x4ec1n, 0xfeen] as const;
/** Amounts in fri; their sum is the dump's note. */
const [WITHDRAWN, FEE] = [43n, 7n] as const;
const PAYMENTS = [
  { to: RECIPIENT, amount: WITHDRAWN },
  { to: RELAYER, amount: FEE },
];
/** Blocks after its base block in which the dump's pool accepts a proof. */
const VALIDITY_BLOCKS = 450;

onRealPool('the real privacy pool, on starknet-devnet', () => {
  let devnet: Strk20Devnet;
  beforeAll(async () => {
    devnet = await Strk20Devnet.start(DUMP);
  });
  afterAll(() => devnet.stop());

  describePrivacyPoolReaderContract(runner, 'the real pool', async () => {
    const chain = await Strk20Chain.on(devnet);
    const actions = await devnet.user.withdraw(PAYMENTS);
    await chain.send(packedOf(actions));
    const [written] = addressesOf(actions.calldata);
    if (written === undefined) throw new Error('the actions write nothing');
    const params = { block_id: 'latest', contract_address: chain.pool };
    return {
      subject: new StarknetPrivacyPoolReader(chain.client),
      pool: chain.pool,
      state: {
        classHash: await chain.client.call({
          method: 'starknet_getClassHashAt',
          params,
          result: z.string().transform(toFelt),
        }),
        version: 'before 2.0' as const,
        isPaused: false,
        feeFri: 0n,
        validityBlocks: VALIDITY_BLOCKS,
      },
      written,
      free: toFelt(BigInt(written) + 1n),
      otherContract: chain.strk,
      nowhere: toFelt('0xdead'),
      head: async () => chain.head(),
      change: async (changes) => devnet.change(changes),
      breakDown: async () => chain.breakDown(),
      stop: async () => chain.stop(),
    };
  });

  describe('private actions', () => {
    let chain: Strk20Chain;
    beforeEach(async () => {
      chain = await Strk20Chain.on(devnet);
    });
    afterEach(() => chain.stop());

    const simulate = (packed: Felts): Promise<SimulationResult> =>
      new StarknetCallSimulator(chain.client).simulate(
        { to: chain.pool, entrypoint: 'apply_actions', calldata: packed },
        chain.lane,
      );

    it('the pool’s message and network have the hashes that the relayer computes', async () => {
      const { calldata, proofFacts } = await devnet.user.withdraw(PAYMENTS);
      const call = readApplyActions(Felts.of(calldata));
      expect(call).toMatchObject({ version: 'before 2.0' });
      expect(effectsOf(call.actions, toFelt(RELAYER)).fees).toEqual([
        { token: chain.strk, amount: FEE },
      ]);
      const facts = readProofFacts(Felts.of(proofFacts));
      expect(facts.configHash).toBe(networkConfigHash(chain.chainId, chain.strk));
      const reader = new StarknetPrivacyPoolReader(chain.client);
      const pool = await reader.facts(chain.pool, {
        baseBlockNumber: facts.baseBlock.number,
        addresses: effectsOf(call.actions, toFelt(RELAYER)).writeOnceAddresses,
      });
      const { actionFelts } = call;
      const message = { pool: chain.pool, poolClass: pool.classHash, actionFelts };
      expect(facts.messageHash).toBe(messageHash(message, hashOf));
      expect(facts.baseBlock.hash).toBe(pool.baseBlockHash);
      expect(pool.taken).toEqual([]);
    });

    it.each([
      ['without a fee of the pool', 0n],
      ['with a fee of the pool', 10n ** 18n],
    ])(
      'a signed withdrawal succeeds once and is recognised on chain, %s',
      async (_what, feeFri) => {
        if (feeFri > 0n) await devnet.change({ feeFri });
        const actions = await devnet.user.withdraw(PAYMENTS);
        const poolFee = feeFri === 0n ? null : { token: chain.strk, amountFri: feeFri };
        const packed = packedOf(actions, { poolFee });
        const simulated = await simulate(packed);
        expect(simulated).toMatchObject({ ok: true });
        const collected = await chain.balance(devnet.governor.address);

        const { hash, answer } = await chain.send(packed);
        expect(answer).toEqual({ kind: 'taken' });
        const receipt = await chain.receipt(hash);
        expect(receipt).toMatchObject({ execution_status: 'SUCCEEDED' });
        // The simulation skips validation and fee transfer, and counts at least as much data.
        const gas = simulated.ok ? simulated.gas : undefined;
        expect(gas?.l2Gas).toBeLessThanOrEqual(BigInt(receipt.execution_resources.l2_gas));
        expect(gas?.l1DataGas).toBeGreaterThanOrEqual(
          BigInt(receipt.execution_resources.l1_data_gas),
        );
        expect(await chain.balance(RECIPIENT)).toBe(WITHDRAWN);
        expect(await chain.balance(RELAYER)).toBe(FEE);
        expect((await chain.balance(devnet.governor.address)) - collected).toBe(feeFri);

        const history = new StarknetAccountHistory(chain.client, { strkToken: chain.strk });
        const { block_number: block } = receipt;
        const { sent } = await history.transactions([chain.lane], block, block);
        expect(sent).toMatchObject([{ consumer: { hash, execution: 'SUCCEEDED' } }]);
        const stated = { facts: Felts.of([]), proof: new Uint8Array(), poolFee };
        const [found] = sent[0]?.calls ?? [];
        expect(found?.calldata.equals(packedOf(actions, stated))).toBe(true);

        expect(await simulate(packed)).toEqual(reverted('NON_ZERO_VALUE'));
        const again = await chain.send(packed);
        expect(await chain.receipt(again.hash)).toMatchObject({
          execution_status: 'REVERTED',
          revert_reason: expect.stringContaining('NON_ZERO_VALUE'),
        });
      },
    );

    it('the pool refuses actions, facts and heights that do not agree', async () => {
      const { user } = devnet;
      const actions = await user.withdraw(PAYMENTS);
      const other = [...actions.calldata.slice(0, -1), FEE + 1n];
      expect(await simulate(packedOf({ ...actions, calldata: other }))).toEqual(
        reverted('INVALID_PROOF_MSG'),
      );
      expect(await simulate(packedOf({ ...actions, proofFacts: [] }))).toEqual(
        reverted('EMPTY_PROOF_FACTS'),
      );
      const none = { ...actions, calldata: [...actions.calldata, 1n] };
      expect(await simulate(packedOf(none))).toEqual(reverted('Input too long for arguments'));
    });

    it('the reason of the pool or the token is the reason of a rejected simulation', async () => {
      const { user } = devnet;
      const deposit = await user.deposit([10n ** 18n]);
      expect(await simulate(packedOf(deposit))).toEqual(reverted('Insufficient ERC20 allowance'));
      const withdrawal = packedOf(await user.withdraw(PAYMENTS));
      await devnet.change({ isPaused: true, feeFri: 5n });
      expect(await simulate(withdrawal)).toEqual(reverted('PAUSED'));
      await devnet.change({ isPaused: false });
      // The pool's fee is not approved.
      expect(await simulate(withdrawal)).toEqual(reverted('Insufficient ERC20 allowance'));
    });

    it.each([
      ['another version', 0, /^Invalid proof facts: ProofFacts parse error/],
      ['another variant of the program', 1, /^Invalid proof facts: ProofFacts parse error/],
      ['an unknown program', 2, /^Invalid proof facts: Virtual OS program hash 5 is not allowed/],
      ['another version of the output', 3, /^Invalid proof facts: ProofFacts parse error/],
      ['another hash of the base block', 5, /^Invalid proof facts: Block hash mismatch/],
      ['another network', 6, /^Invalid proof facts: Virtual OS config hash mismatch/],
    ])('the node refuses facts of %s because of the call', async (_what, at, reason) => {
      const changeFacts = (facts: readonly bigint[]) => facts.with(at, 5n);
      const packed = packedOf(await devnet.user.withdraw(PAYMENTS, { changeFacts }));
      expect(await simulate(packed)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
      expect((await chain.send(packed)).answer).toEqual({
        kind: 'refused',
        code: 'INVALID_PROOF_FACTS',
        cause: 'call',
      });
      expect(await chain.nonce()).toBe(0n);
    });

    it('the node accepts facts with an additional felt, and the pool reverts them', async () => {
      const { proofFacts, ...actions } = await devnet.user.withdraw(PAYMENTS);
      const packed = packedOf({ ...actions, proofFacts: [...proofFacts, 5n] });
      expect(await simulate(packed)).toEqual(reverted('INVALID_PROOF_FACTS'));
      const { answer, hash } = await chain.send(packed);
      expect(answer).toEqual({ kind: 'taken' });
      expect(await chain.receipt(hash)).toMatchObject({ execution_status: 'REVERTED' });
    });

    it('the node accepts a base block that is ten blocks older than the next block', async () => {
      const { number: head } = await chain.head();
      const young = packedOf(await devnet.user.withdraw(PAYMENTS, { baseBlock: head - 8 }));
      expect(await failure(simulate(young))).toBeInstanceOf(NodeRefusedCall);
      expect((await chain.send(young)).answer).toEqual({
        kind: 'unclear',
        code: 'PROOF_FACTS_TOO_RECENT',
      });
      await devnet.mine();
      expect(await simulate(young)).toMatchObject({ ok: true });
      expect((await chain.send(young)).answer).toEqual({ kind: 'taken' });
    });

    it('the pool accepts a proof up to its last block, and charges gas after it', async () => {
      const actions = await devnet.user.withdraw(PAYMENTS);
      const packed = packedOf(actions);
      const { baseBlock } = readProofFacts(Felts.of(actions.proofFacts));
      const lastBlock = baseBlock.number + VALIDITY_BLOCKS;
      await devnet.mine(lastBlock - 1 - (await chain.head()).number);
      expect(await simulate(packed)).toMatchObject({ ok: true });
      await devnet.mine();
      expect(await simulate(packed)).toEqual(reverted('PROOF_EXPIRED'));
      const { answer, hash } = await chain.send(packed);
      expect(answer).toEqual({ kind: 'taken' });
      const { execution_resources: used, ...receipt } = await chain.receipt(hash);
      expect(receipt).toMatchObject({ block_number: lastBlock + 1, execution_status: 'REVERTED' });
      expect(used.l2_gas).toBeGreaterThan(70_000_000);
      expect(await chain.nonce()).toBe(1n);
    });
  });
});

const hashOf = (felts: Felts): Felt => toFelt(poseidon(felts.toBytes()));

/** Returns the storage addresses that the actions write once. */
function addressesOf(calldata: readonly bigint[]): readonly Felt[] {
  const { actions } = readApplyActions(Felts.of(calldata));
  return effectsOf(actions, toFelt(RELAYER)).writeOnceAddresses;
}

function reverted(reason: string): object {
  return { ok: false, reason: expect.stringContaining(reason) };
}
