import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxWorld } from '@sotto/sandbox';
import { addressText } from './support/notes.js';
import { QUOTED, SWAP_FEE, SwapStage, type Words } from './support/swap-stage.js';

const inputPool = sandboxWorld.pools.swap_input_1;
/**
 * Maximum number of reverts of one note's swaps, which is small, so that a test reaches the
 * maximum.
 */
const REVERTS = 3;
const SLIP = { quoted: QUOTED, lossMille: 25n };
/** Index of the note that each test uses. */
const NOTE = { strangers: 0, plain: 1 } as const;

const suspended = (scope: string) => [429, 'NOTE_SWAPS_SUSPENDED', { scope }];

describe('the suspension of a note whose swaps revert', () => {
  let stage: SwapStage;
  beforeAll(async () => {
    stage = await SwapStage.start(3, {
      SWAP_REVERTS_PER_NOTE: String(REVERTS),
      // The budget is large, because all reverts of this test come from one address.
      LOSS_BUDGET_PER_POOL_FRI: String(1_000n * 10n ** 18n),
    });
  });
  afterEach(() => stage.restore());
  afterAll(() => stage.stack.stop());

  /** Sends a swap that reverts because the market price falls. */
  const revert = async (index: number, words: Words, proof: readonly string[]): Promise<void> => {
    const { data } = await stage.meetWorsePrice(index, words, SLIP, proof);
    expect(data).toMatchObject({ execution_status: 'REVERTED' });
    await stage.ended();
    await stage.moveMarket(1_000n);
  };
  const rejectionOf = async (index: number, words: Words, proof: readonly string[]) => {
    const { response, error } = await stage.swap(index, words, proof);
    return [response.status, error?.code, error?.details];
  };

  it('A29: a note’s owner can swap with a new proof after other callers have caused a suspension of the old proofs', async () => {
    const { strangers } = NOTE;
    const first = stage.proofOf(strangers, SWAP_FEE);
    const second = stage.proofOf(strangers, SWAP_FEE + 1n);
    const third = stage.proofOf(strangers, SWAP_FEE + 2n);
    // The owner's swap reverts once. Then other callers repeat the public proof with terms that
    // make the swap revert again.
    for (let count = 0; count < REVERTS; count += 1)
      await revert(strangers, { slippage: 0.005 + count / 1_000 }, first);
    expect(await rejectionOf(strangers, { slippage: 0.15 }, first)).toEqual(suspended('proof'));

    // Only the owner can make a proof of the note with a different fee.
    await revert(strangers, { slippage: 0.005 }, second);
    expect(await rejectionOf(strangers, {}, second)).toEqual(suspended('proof'));
    const { data } = await stage.swap(strangers, {}, third);
    expect(data).toMatchObject({ execution_status: 'SUCCEEDED' });
  });

  it('A29 a note whose swaps are suspended can still be withdrawn without a swap', async () => {
    const { plain } = NOTE;
    for (let count = 0; count < REVERTS; count += 1)
      await revert(plain, { slippage: 0.005 }, stage.proofOf(plain, SWAP_FEE + BigInt(count)));
    const another = stage.proofOf(plain, SWAP_FEE + BigInt(REVERTS));
    expect(await rejectionOf(plain, {}, another)).toEqual(suspended('note'));
    const calldata = [...stage.proofOf(plain, SWAP_FEE, 2n ** 250n + 0x5eedn)];
    const { data } = await stage.sotto.POST('/api/relayer/withdraw', {
      body: { poolAddress: addressText(inputPool), calldata },
    });
    expect(data).toMatchObject({ execution_status: 'SUCCEEDED' });
  });
});
