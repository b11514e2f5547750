import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { eventually } from '@sotto/process-kit';
import { toSignals } from '@sotto/prover/testing';
import {
  deriveNoteKeys,
  jsonRpcNode,
  memoryStorage,
  PrivateSwap,
  ShieldedPool,
  type Prover,
} from '@sotto/wallet/advanced';
import { addressText, commitmentsOf, notesOf } from '../e2e/support/notes.js';
import { describeOnChain } from './support/describe-on-chain.js';
import { ProofBot } from './support/proof-bot.js';
import { Site } from './support/site.js';
import { ForgedWithdrawals, bodyFor } from './support/withdrawals.js';

const ADD = 'starknet_addInvokeTransaction';
const POOL = 'swap_input_1';
const FAIR = 19_600_000n;
/**
 * Output after the market moved: outside the tolerance of 1 %, but within the maximum impact below
 * the fair value.
 */
const MOVED = (FAIR * 98n) / 100n;
const ON_THE_WAY_MS = 4_000;
const AT_RISK = { reason: 'PROOF_IS_PUBLIC', remedy: 'withdraw' };
const notes = notesOf(0x73n, 3);
const leaves = commitmentsOf(notes);
const withdrawals = new ForgedWithdrawals(leaves, 400n);
/** Prover that forges proofs with the trapdoor of the verification key, without computing them. */
const prover: Prover = { prove: async (request) => forgedCalldata(toSignals(request)) };

describeOnChain('the note of a reverted swap', ({ start }) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(start, {
      deposits: { [POOL]: leaves },
      verificationKey: trapdoorKey,
    });
  });
  let bot: ProofBot | undefined;
  afterEach(() => bot?.stop());
  afterAll(() => site.stop());

  const world = () => site.chain.world;
  const isSpent = (index: number) => site.chain.isSpent(POOL, withdrawals.nullifierOf(index));
  const setRate = (buyAmount: bigint) => {
    const { WBTC, USDC } = world().tokens;
    const rate = { sell: WBTC.address, buy: USDC.address, sellAmount: 19_600n, buyAmount };
    return site.chain.setRate(rate);
  };
  const ownersNonce = () => site.chain.client.nonceOf(world().accounts.swapOwner.address);
  const swap = (index: number) =>
    site.client.POST('/api/relayer/private-swap', {
      body: {
        wbtcPool: toFelt(world().pools[POOL].address),
        proofCalldata: [...withdrawals.calldata(index, world().swapPool.address)],
        newCommitment: toFelt(0x5a1n + BigInt(index)),
        outputToken: toFelt(world().tokens.USDC.address),
      },
    });
  const withdraw = (index: number) =>
    site.service.withdraw(bodyFor(world().pools[POOL], withdrawals.calldata(index)));

  /** Calls `begin` to request a swap, and moves the market while the swap is in flight. */
  async function whileTheMarketMoves<T>(begin: () => Promise<T>): Promise<T> {
    await setRate(FAIR);
    const struck = site.proxy.counters().struck['arrive-late'] ?? 0;
    site.proxy.addFault({
      method: ADD,
      fault: { kind: 'arrive-late', delayMs: ON_THE_WAY_MS },
    });
    const answering = begin();
    await eventually('the swap to be in flight', () =>
      (site.proxy.counters().struck['arrive-late'] ?? 0) > struck ? true : undefined,
    );
    await setRate(MOVED);
    return answering;
  }

  /** Requests a swap that reverts, and resolves with the response. */
  async function revertedSwap(index: number) {
    const { data, response } = await whileTheMarketMoves(() => swap(index));
    expect([response.status, data]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'REVERTED', leafIndex: -1 }),
    ]);
    return { data, location: response.headers.get('location') };
  }

  it('T3: the note of a reverted swap is reported as at risk, together with a remedy', async () => {
    const nonceBefore = await ownersNonce();
    const { data, location } = await revertedSwap(0);
    expect(data).toMatchObject({ noteAtRisk: AT_RISK });
    const shown = await site.settled(location, 'reverted');
    expect(shown).toMatchObject({ finality: 'ACCEPTED_ON_L2', noteAtRisk: AT_RISK });
    const { status, body } = await withdraw(0);
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ execution_status: 'SUCCEEDED', revert_reason: null }),
    ]);
    expect(await site.chain.wbtcOf(withdrawals.recipientOf(0))).toBeGreaterThan(0n);
    // The reverted swap has made the proof public. The service sends no further transaction with
    // this proof.
    expect(await ownersNonce()).toBe(nonceBefore + 1n);
    await eventually('the spent note to be shown', async () => {
      const { body: submission } = await site.service.get(location ?? '');
      return !('noteAtRisk' in Object(submission));
    });
    expect(await site.settled(location, 'reverted')).toMatchObject({ leafIndex: -1 });
  });

  it('T3: the owner’s requests report a note as spent after a bot has spent the note of the reverted swap', async () => {
    const nonceBefore = await ownersNonce();
    const stranger = new ProofBot(site.chain, world().accounts.lane3, 'pre_confirmed');
    bot = stranger;
    stranger.start();
    const { location } = await revertedSwap(1);
    const stranding = await eventually('the bot to send the proof', () => stranger.hashes[0]);
    expect(await site.chain.client.accepted(stranding)).toMatchObject({
      execution_status: 'SUCCEEDED',
    });
    expect(await isSpent(1)).toBe(true);
    const spent = {
      execution_status: 'REVERTED',
      leafIndex: -1,
      outputAmount: '0x0',
    };
    const submission = await site.settled(location, 'reverted');
    expect(submission).toMatchObject(spent);
    expect(submission).not.toHaveProperty('noteAtRisk');
    const again = await swap(1);
    expect([again.response.status, again.error]).toEqual([
      409,
      expect.objectContaining({ code: 'NULLIFIER_SPENT', leafIndex: -1 }),
    ]);
    const { status, body } = await withdraw(1);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'NULLIFIER_SPENT' })]);
    expect(await ownersNonce()).toBe(nonceBefore + 1n);
  });

  it('T3: the wallet kit withdraws the note without a swap after its swap has reverted', async () => {
    const { accounts, pools, swapPool, tokens } = world();
    const [, , note] = notes;
    if (note === undefined) throw new Error('there are no notes');
    const node = jsonRpcNode({ url: site.chain.client.rpcUrl });
    const recipient = 2n ** 250n + 0x7e57n;
    const kit = PrivateSwap.begin({
      note,
      pool: await ShieldedPool.open({ node, address: addressText(pools[POOL]) }),
      swapPool: await ShieldedPool.open({ node, address: addressText(swapPool), kind: 'swap' }),
      keys: deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, at) => at)),
      prover,
      relayers: [{ baseUrl: site.service.url, signerKey: toFelt(accounts.lane1.publicKey) }],
      storage: memoryStorage(),
      outputToken: addressText(tokens.USDC),
      minAmountOut: (FAIR * 95n) / 100n,
      maxFee: pools[POOL].denomination / 20n,
      recipient: toFelt(recipient),
      maxWithdrawalFee: FAIR / 20n,
      allow: ['TOO_SOON'],
    });
    const types = await whileTheMarketMoves(async () => {
      const seen: string[] = [];
      for await (const { type } of kit.events()) if (seen.at(-1) !== type) seen.push(type);
      return seen;
    });
    expect(types.slice(-3)).toEqual(['reverted', 'rescuing', 'withdrawn']);
    expect(await site.chain.wbtcOf(recipient)).toBeGreaterThan(pools[POOL].denomination / 2n);
  });
});
