import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { StarknetPoolEvents, selectorOf } from '@sotto/adapter-starknet';
import { toFelt, u256ToHalves } from '@sotto/kernel';
import { describeOnDevnet } from '../support/describe-on-devnet.js';
import { DevnetChain } from '../support/devnet-chain.js';
import { restated } from '../support/pool-on-devnet.js';
import {
  BOUGHT,
  FEE,
  RATE,
  RELAYER,
  SOLD,
  SwapsOnDevnet,
  inputs,
  outputTree,
  outputs,
  type Swap,
} from '../support/swaps-on-devnet.js';
import { provenCalldata } from '../support/withdrawal-proofs.js';

const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
const RECIPIENT = 0x7ec1n;
/** Maximum L2 gas of a transaction on the network. The service's resource bound is higher. */
const MAX_EXECUTED_L2_GAS = 1_100_000_000;
const [input, secondInput] = inputs;
const [output, secondOutput] = outputs;

const SUCCEEDED = { revertReason: undefined };
const reverts = (text: string) => ({ revertReason: expect.stringContaining(`('${text}')`) });
const key = (event: string) => BigInt(selectorOf(event));

describeOnDevnet('the swap pool', () => {
  let chain: DevnetChain;
  beforeAll(async () => {
    chain = await DevnetChain.start();
  });
  afterAll(() => chain.stop());

  it('the swap pool swaps a note with a real proof, and creates a leaf that can be withdrawn', async () => {
    const swaps = await SwapsOnDevnet.deploy(chain);
    expect(await swaps.view('get_last_root')).toEqual(u256ToHalves(outputTree(0).root));
    const outcome = await swaps.swap({ proof: await swaps.realProof() });
    expect(outcome).toMatchObject(SUCCEEDED);
    expect(outcome.l2Gas).toBeLessThan(MAX_EXECUTED_L2_GAS);
    expect(swaps.events(outcome)).toEqual([
      {
        keys: [key('SwapDeposit'), ...u256ToHalves(output.commitment)],
        data: [0n, swaps.outputToken, ...u256ToHalves(BOUGHT), expect.any(BigInt)],
      },
    ]);
    const events = new StarknetPoolEvents(chain.node, { swapPool: toFelt(swaps.address) });
    expect(await events.swapDepositOf(toFelt(outcome.transactionHash))).toEqual({
      commitment: output.commitment,
      leafIndex: 0,
      outputToken: toFelt(swaps.outputToken),
      outputAmount: BOUGHT,
    });
    expect(await swaps.view('get_leaf_info', 0n)).toEqual([
      swaps.outputToken,
      ...u256ToHalves(BOUGHT),
    ]);
    expect(await swaps.view('get_last_root')).toEqual(u256ToHalves(outputTree(1).root));
    expect(await swaps.view('is_known_root', ...u256ToHalves(outputTree(0).root))).toEqual([1n]);
    expect(await swaps.view('is_known_commitment', ...u256ToHalves(output.commitment))).toEqual([
      1n,
    ]);
    expect([
      await swaps.inputPool.balanceOf(swaps.address),
      await swaps.inputPool.balanceOf(RELAYER),
    ]).toEqual([0n, FEE]);
    expect(await swaps.inputPool.balanceOf(swaps.exchange)).toBe(SOLD);
    expect(await counts(swaps)).toEqual([1n, 1n, 1n, 500n]);

    const terms = {
      note: output,
      leaves: [output.commitment],
      recipient: RECIPIENT,
      relayer: RELAYER,
      feeAmount: 1_000n,
    };
    const claim = await provenCalldata({ ...terms, batchStart: 0, batchSize: 1 });
    const withdrawn = await swaps.withdraw(claim);
    expect(withdrawn).toMatchObject(SUCCEEDED);
    expect(swaps.events(withdrawn)).toEqual([
      {
        keys: [key('SwapWithdraw'), ...u256ToHalves(output.nullifierHash)],
        data: [
          RECIPIENT,
          swaps.outputToken,
          ...u256ToHalves(BOUGHT - 1_000n),
          ...u256ToHalves(1_000n),
        ],
      },
    ]);
    expect([await swaps.outputBalance(RECIPIENT), await swaps.outputBalance(RELAYER)]).toEqual([
      BOUGHT - 1_000n,
      1_000n,
    ]);
    expect(await swaps.view('is_spent', ...u256ToHalves(output.nullifierHash))).toEqual([1n]);
    expect(await counts(swaps)).toEqual([0n, 1n, 1n, 500n]);
    expect(await swaps.withdraw(claim)).toMatchObject(reverts('SwapPool: already withdrawn'));
  });

  describeSwapRejections();
  describeWithdrawalRejections();

  it('a swap pool with the development setting for respending pays a spent note again', async () => {
    const swaps = await SwapsOnDevnet.deploy(chain, true);
    await swaps.swap();
    const claim = claimOf(swaps);
    expect(await swaps.withdraw(claim)).toMatchObject(SUCCEEDED);
    expect(await swaps.withdraw(claim)).toMatchObject(reverts('SwapPool: no active deposit'));
    // The input pool pays the first note a second time.
    expect(await swaps.swap({ commitment: secondOutput.commitment })).toMatchObject(SUCCEEDED);
    expect(await swaps.withdraw(restated(claim, { root: outputTree(2).root }))).toMatchObject(
      SUCCEEDED,
    );
  });

  it('the swap pool can’t be deployed with terms that the protocol forbids', async () => {
    const terms = {
      owner: chain.owner,
      wbtc: 1n,
      router: 2n,
      verifier: 3n,
      developmentAllowsRespending: false,
    };
    await expect(chain.deploy('SwapPool', { ...terms, maxFeeBps: 1_001 })).rejects.toThrow(
      'max fee too high',
    );
    await chain.deploy('SwapPool', { ...terms, maxFeeBps: 1_000 });
  });

  function describeSwapRejections(): void {
    it('the swap pool accepts swaps only from its owner', async () => {
      const swaps = await SwapsOnDevnet.deploy(chain);
      expect(await chain.sendAsStranger(swaps.swapCall())).toMatchObject(reverts('Not owner'));
      const pause = { contract: swaps.address, entrypoint: 'set_paused', calldata: [1n] };
      expect(await chain.sendAsStranger(pause)).toMatchObject(reverts('Not owner'));
      await swaps.setPaused(true);
      expect(await swaps.swap()).toMatchObject(reverts('SwapPool: paused'));
      expect(await swaps.withdraw(claimOf(swaps))).toMatchObject(reverts('SwapPool: paused'));
      await swaps.setPaused(false);
      expect(await swaps.swap()).toMatchObject(SUCCEEDED);
    });

    it('a note can still be swapped after the swap pool reverted an impossible swap of this note', async () => {
      const swaps = await SwapsOnDevnet.deploy(chain);
      const proof = swaps.restatedProof();
      const cases: readonly (readonly [string, Partial<Swap>])[] = [
        ['SwapPool: invalid commitment', { commitment: 0n }],
        ['SwapPool: invalid commitment', { commitment: R }],
        ['SwapPool: no WBTC received', { proof: restated(proof, { recipient: RECIPIENT }) }],
        ['invalid proof', { proof: proof.with(33, 6n) }],
        ['fee too high', { proof: restated(proof, { fee: 1_001n }) }],
        ['Insufficient tokens received', { minimum: BOUGHT + 1n }],
        ['Unknown exchange', { exchange: RECIPIENT }],
        ['No liquidity', { outputToken: swaps.inputPool.token }],
      ];
      for (const [text, changes] of cases)
        expect(await swaps.swap(changes)).toMatchObject(reverts(text));
      await swaps.setRate({ sellAmount: SOLD + 1n, buyAmount: 1n });
      expect(await swaps.swap({ minimum: 0n })).toMatchObject(
        reverts('SwapPool: no output received'),
      );
      await swaps.setRate({ sellAmount: 1n, buyAmount: RATE });

      expect(await swaps.inputPool.says('is_spent', input.nullifierHash)).toBe(false);
      expect(await counts(swaps)).toEqual([0n, 0n, 0n, 500n]);
      expect(await swaps.swap()).toMatchObject(SUCCEEDED);
      expect(await swaps.swap()).toMatchObject(reverts('SwapPool: commitment exists'));
      expect(await swaps.swap({ commitment: secondOutput.commitment })).toMatchObject(
        reverts('already withdrawn'),
      );
      expect(
        await swaps.swap({
          proof: swaps.restatedProof(secondInput),
          commitment: secondOutput.commitment,
        }),
      ).toMatchObject(SUCCEEDED);
      expect(await swaps.view('get_last_root')).toEqual(u256ToHalves(outputTree(2).root));
      expect(await counts(swaps)).toEqual([2n, 2n, 2n, 500n]);
    });
  }

  function describeWithdrawalRejections(): void {
    it('the swap pool rejects withdrawals with a wrong root, leaf, fee or address', async () => {
      const swaps = await SwapsOnDevnet.deploy(chain);
      await swaps.swap();
      const claim = claimOf(swaps);
      const maxFee = (BOUGHT * 500n) / 10_000n;
      const cases: readonly (readonly [string, Parameters<typeof restated>[1]])[] = [
        ['SwapPool: invalid proof', { fee: R }],
        ['SwapPool: unknown root', { root: outputTree(1).root + 1n }],
        ['SwapPool: invalid batch size', { batchSize: 0n }],
        ['SwapPool: invalid batch size', { batchSize: 3n }],
        ['SwapPool: empty leaf', { batchStart: 1n }],
        ['SwapPool: empty leaf', { batchStart: 2n ** 200n }],
        ['SwapPool: fee too high', { fee: maxFee + 1n }],
        ['Option::unwrap failed.', { recipient: 2n ** 251n }],
        ['Option::unwrap failed.', { relayer: 2n ** 252n }],
        ['ERC20: transfer to 0', { recipient: 0n }],
      ];
      for (const [text, changes] of cases)
        expect(await swaps.withdraw(restated(claim, changes))).toMatchObject(reverts(text));
      const [recipient, relayer] = [RECIPIENT + 1n, RELAYER + 1n];
      expect(
        await swaps.withdraw(restated(claim, { fee: maxFee, recipient, relayer })),
      ).toMatchObject(SUCCEEDED);
      expect([await swaps.outputBalance(recipient), await swaps.outputBalance(relayer)]).toEqual([
        BOUGHT - maxFee,
        maxFee,
      ]);
    });
  }
});

/** Returns the number of deposits, of swaps and of leaves, and the maximum fee. */
async function counts(swaps: SwapsOnDevnet): Promise<readonly bigint[]> {
  const views = ['active_deposits', 'total_swaps', 'get_next_index', 'max_fee_bps'];
  return (await Promise.all(views.map((view) => swaps.view(view)))).flat();
}

/** Returns a withdrawal proof for a batch of one leaf, which the development verifier accepts. */
function claimOf(swaps: SwapsOnDevnet): readonly bigint[] {
  const { root } = outputTree(1);
  return restated(swaps.restatedProof(), {
    root,
    nullifierHash: 99n,
    recipient: RECIPIENT,
    fee: 0n,
    batchStart: 0n,
    batchSize: 1n,
  });
}
