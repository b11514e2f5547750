import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { forgedCalldata, trapdoorKey } from '@sotto/load-kit';
import { toSignals } from '@sotto/prover/testing';
import { sandboxWorld } from '@sotto/sandbox';
import {
  deriveNoteKeys,
  jsonRpcNode,
  memoryStorage,
  PrivateSwap,
  ShieldedPool,
  type PrivateSwapEvent,
  type PrivateSwapMeans,
  type Prover,
} from '@sotto/wallet/advanced';
import { addressText, commitmentsOf, notesOf } from './support/notes.js';
import { Stack } from './support/stack.js';

const { pools, swapPool, tokens, accounts } = sandboxWorld;
const inputPool = pools.swap_input_1;
const recipient = accounts.recipient1.address;
const notes = notesOf(81n, 3);
/**
 * Minimum in wei of ETH. The output of a note at the sandbox's prices, before fees, is 5.7e15 wei.
 */
const MIN_AMOUNT_OUT = 5n * 10n ** 15n;

/** Prover that forges proofs under the trapdoor key. No proof is computed. */
const prover: Prover = { prove: async (request) => forgedCalldata(toSignals(request)) };

describe('a wallet that swaps privately on the service', () => {
  let stack: Stack;
  let means: PrivateSwapMeans;
  const storage = memoryStorage();

  beforeAll(async () => {
    stack = await Stack.start({
      whole: true,
      verificationKey: trapdoorKey,
      deposit: (chain) => chain.depositInto(inputPool, commitmentsOf(notes)),
    });
    await stack.service.ready();
    const [key = 0n] = await stack.chain.view(accounts.lane1.address, 'get_public_key');
    const [, note] = notes;
    if (note === undefined) throw new Error('there are no notes');
    const node = jsonRpcNode({ url: String(stack.environment['STARKNET_RPC_URLS']) });
    means = {
      note,
      pool: await ShieldedPool.open({ node, address: addressText(inputPool) }),
      swapPool: await ShieldedPool.open({ node, address: addressText(swapPool), kind: 'swap' }),
      keys: deriveNoteKeys(Uint8Array.from({ length: 32 }, (_, index) => index)),
      prover,
      relayers: [{ baseUrl: stack.service.url, signerKey: toFelt(key) }],
    };
  });
  afterAll(() => stack.stop());

  const begin = (minAmountOut: bigint): PrivateSwap =>
    PrivateSwap.begin({
      ...means,
      storage,
      outputToken: addressText(tokens.ETH),
      minAmountOut,
      maxFee: inputPool.denomination / 20n,
      recipient: toFelt(recipient),
      maxWithdrawalFee: MIN_AMOUNT_OUT / 20n,
      allow: ['TOO_SOON'],
      waitForSwap: 0,
    });
  it('a swap stops with MINIMUM_NOT_MET if the price is below the requested minimum, and sends no transaction', async () => {
    const events = await eventsOf(begin(10n ** 18n));
    expect(events.at(-1)).toMatchObject({ type: 'stopped', error: { code: 'MINIMUM_NOT_MET' } });
    expect(stack.ledger().transactions).toEqual([]);
  });

  it('a private swap pays out even if the wallet is closed after the relayer has accepted the swap', async () => {
    const held = await stack.chain.balanceOf(tokens.ETH.address, recipient);
    for await (const event of begin(MIN_AMOUNT_OUT).events()) if (event.type === 'accepted') break;
    const [begun] = await PrivateSwap.list(storage);
    expect(begun).toMatchObject({ state: 'open', outputIndex: 0 });
    const events = await eventsOf(await PrivateSwap.resume(storage, begun?.id ?? '', means));
    const types = events.map(({ type }) => type);
    expect(types).not.toContain('proving');
    expect(types).toContain('swapped');
    expect(events.at(-1)?.type).toBe('settled');
    const paid = (await stack.chain.balanceOf(tokens.ETH.address, recipient)) - held;
    expect(paid).toBeGreaterThan((MIN_AMOUNT_OUT * 19n) / 20n);
    // The service sent two transactions for this note: one swap and one withdrawal.
    expect(stack.ledger().transactions).toHaveLength(2);
  });
});

async function eventsOf(swap: PrivateSwap): Promise<readonly PrivateSwapEvent[]> {
  const events: PrivateSwapEvent[] = [];
  for await (const event of swap.events()) events.push(event);
  return events;
}
