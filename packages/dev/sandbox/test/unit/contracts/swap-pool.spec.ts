import { beforeEach, describe, expect, it } from '@jest/globals';
import { insertLeaf, lastRoot } from '../../../src/contracts/merkle-tree.js';
import { recordStorage } from '../../../src/contracts/storage.js';
import { SWAP_POOL_STORAGE, swapPool as swapPoolModel } from '../../../src/contracts/swap-pool.js';
import { groth16Verifier } from '../../../src/contracts/verifier.js';
import { sandboxWorld } from '../../../src/contracts/world.js';
import { u256 } from './harness.js';
import {
  COMMITMENT,
  ETH,
  INPUT_POOL,
  SwapWorld,
  WBTC,
  branchTo,
  directTo,
  type ClaimChanges,
  type SwapChoices,
} from './swap-world.js';
import { toCalldata, forge, trapdoorKey } from './trapdoor.js';

const { accounts, pools, tokens, swapPool, router, exchanges } = sandboxWorld;
/** Amount of ETH, in wei, that is worth 0.000196 BTC: 100,000 USD per BTC, 3,500 USD per ETH. */
const OUTPUT_WEI = (19_600n * 10n ** 18n) / 3_500_000n;

describe('swap pool model', () => {
  let world: SwapWorld;
  beforeEach(() => {
    world = new SwapWorld();
  });

  describe('private swap', () => {
    it('a private swap swaps the input pool’s payment and stores the output as a leaf', () => {
      const emptyRoot = world.read('get_last_root');
      expect(world.swap({ minimumOut: OUTPUT_WEI })).toEqual([]);
      expect(world.balance(ETH, swapPool.address)).toBe(OUTPUT_WEI);
      expect(world.balance(WBTC, swapPool.address)).toBe(0n);
      expect(world.balance(WBTC, accounts.feeCollector.address)).toBe(400n);
      expect(world.chain.call(0n, swapPool.address, 'get_leaf_info', [0n])).toEqual([
        ETH,
        ...u256(OUTPUT_WEI),
      ]);
      expect(
        ['get_next_index', 'active_deposits', 'total_swaps'].map((view) => world.read(view)),
      ).toEqual([1n, 1n, 1n]);
      expect(world.read('is_known_commitment', ...u256(COMMITMENT))).toBe(1n);
      expect(world.read('is_known_commitment', ...u256(COMMITMENT + 1n))).toBe(0n);
      const tree = recordStorage({});
      insertLeaf(tree, COMMITMENT);
      expect(world.read('get_last_root')).toBe(lastRoot(tree));
      expect(world.read('is_known_root', ...u256(emptyRoot))).toBe(1n);
    });

    it('a private swap emits an event with the leaf, its token and its amount', () => {
      world.swap();
      world.swap({ inputNullifierHash: 78n, commitment: 5n, outputToken: tokens.USDC.address });
      expect(world.chain.eventsNamed('SwapDeposit')).toEqual([
        expect.objectContaining({
          from: swapPool.address,
          data: [0n, ETH, ...u256(OUTPUT_WEI), 1_800_000_000n],
        }),
        expect.objectContaining({
          from: swapPool.address,
          data: [1n, tokens.USDC.address, 19_600_000n, 0n, 1_800_000_000n],
        }),
      ]);
      expect(world.chain.eventsNamed('SwapDeposit')[0]?.keys.slice(1)).toEqual(u256(COMMITMENT));
      const swapped = world.chain.eventsNamed('Swap')[0];
      expect(swapped).toMatchObject({
        from: router,
        data: [swapPool.address, WBTC, 19_600n, 0n, ETH, ...u256(OUTPUT_WEI), swapPool.address],
      });
    });

    it('a private swap accepts branch routes', () => {
      world.swap({ routes: [branchTo(ETH)] });
      expect(world.balance(ETH, swapPool.address)).toBe(OUTPUT_WEI);
    });

    it.each<[string, () => void]>([
      [
        'by genesis',
        () => {
          world = new SwapWorld({ branchRoutes: false });
        },
      ],
      [
        'by its storage',
        () => {
          world.stage(SWAP_POOL_STORAGE.olderRoutes, 1n);
        },
      ],
    ])(
      'a swap pool with the older Route struct accepts only direct routes, %s',
      (_name, makeOlder) => {
        makeOlder();
        expect(world.reverted(() => world.swap({ routes: [branchTo(ETH)] }))).toBe(
          'Failed to deserialize param #6',
        );
        world.swap();
        expect(world.read('total_swaps')).toBe(1n);
      },
    );

    it.each<[string, SwapChoices]>([
      ['Not owner', { caller: accounts.lane1.address }],
      ['SwapPool: invalid commitment', { commitment: 0n }],
      ['SwapPool: invalid commitment', { commitment: 2n ** 254n }],
      ['SwapPool: no WBTC received', { recipient: accounts.recipient1.address }],
      ['unknown root', { inputPool: pools.swap_input_2.address }],
      ['Insufficient tokens received', { minimumOut: OUTPUT_WEI + 1n }],
      ['Invalid token to', { routes: [directTo(tokens.USDC.address)] }],
      ['Routes is empty', { routes: [] }],
    ])('a private swap reverts with "%s" if its terms are %p', (text, choices) => {
      expect(world.reverted(() => world.swap(choices))).toBe(text);
    });

    it('a private swap rejects an existing commitment and a spent input note', () => {
      world.swap();
      expect(world.reverted(() => world.swap({ inputNullifierHash: 78n }))).toBe(
        'SwapPool: commitment exists',
      );
      expect(world.reverted(() => world.swap({ commitment: 5n }))).toBe('already withdrawn');
    });

    it('a private swap reverts if the exchange pays nothing', () => {
      for (const { address } of Object.values(exchanges)) {
        const key = `rate_sell:${WBTC.toString(16)}:${ETH.toString(16)}`;
        world.chain.storageOf(address).set(key, 10n ** 60n);
      }
      expect(world.reverted(() => world.swap({ minimumOut: 0n }))).toBe(
        'SwapPool: no output received',
      );
    });

    it('a paused swap pool rejects all calls, even calls by its owner', () => {
      world.swap();
      world.stage(SWAP_POOL_STORAGE.paused, 1n);
      expect(world.reverted(() => world.swap({ inputNullifierHash: 78n, commitment: 5n }))).toBe(
        'SwapPool: paused',
      );
      expect(world.reverted(() => world.claim())).toBe('SwapPool: paused');
    });

    it('a private swap reverts if the swap pool’s tree is full', () => {
      world.stage('next_index', 1_024n);
      expect(world.reverted(() => world.swap())).toBe('SwapPool: tree full');
    });

    it('a private swap rejects calldata that has no length felt, or two length felts, before the proof', () => {
      const proof = toCalldata(forge([1n, 2n, 3n, 4n, 5n, 0n, 3n]));
      const rest = [...u256(COMMITMENT), ETH, 1n, 0n, 0n];
      const send = (felts: readonly bigint[]): string =>
        world.reverted(() =>
          world.chain.call(accounts.swapOwner.address, swapPool.address, 'private_swap', [
            INPUT_POOL,
            ...felts,
            ...rest,
          ]),
        );
      expect(send([BigInt(proof.length), ...proof])).toBe('invalid proof');
      expect(send(proof.slice(1))).toMatch('Failed to deserialize param #');
    });

    it('a private swap uses the same gas as in the protocol, including 11 M for the transaction and its calldata', () => {
      world.chain.gasUsed = 0n;
      world.swap();
      const total = world.chain.gasUsed + 11_000_000n;
      expect(total).toBeGreaterThan(38_000_000n);
      expect(total).toBeLessThan(41_000_000n);
    });
  });

  describe('withdrawal', () => {
    beforeEach(() => {
      world.swap();
    });

    it('a withdrawal from the swap pool pays the leaf’s token to the recipient and the fee to the relayer', () => {
      expect(world.claim({ fee: 1_000n })).toEqual([]);
      expect(world.balance(ETH, accounts.recipient1.address)).toBe(OUTPUT_WEI - 1_000n);
      expect(world.balance(ETH, accounts.feeCollector.address)).toBe(1_000n);
      expect(world.balance(ETH, swapPool.address)).toBe(0n);
      expect(world.read('is_spent', ...u256(99n))).toBe(1n);
      expect(world.read('is_spent', ...u256(98n))).toBe(0n);
      expect([world.read('active_deposits'), world.read('total_swaps')]).toEqual([0n, 1n]);
      expect(world.chain.eventsNamed('SwapWithdraw')).toEqual([
        expect.objectContaining({
          from: swapPool.address,
          data: [accounts.recipient1.address, ETH, ...u256(OUTPUT_WEI - 1_000n), 1_000n, 0n],
        }),
      ]);
      expect(world.chain.eventsNamed('SwapWithdraw')[0]?.keys.slice(1)).toEqual([99n, 0n]);
    });

    it('a withdrawal from the swap pool can have exactly the maximum fee', () => {
      const fee = (OUTPUT_WEI * 500n) / 10_000n;
      world.claim({ fee });
      expect(world.balance(ETH, accounts.feeCollector.address)).toBe(fee);
    });

    it.each<[string, ClaimChanges]>([
      ['SwapPool: unknown root', { root: 12_345n }],
      ['SwapPool: invalid batch size', { batchSize: 0n }],
      ['SwapPool: invalid batch size', { batchSize: 3n }],
      ['SwapPool: empty leaf', { batchStart: 1n }],
      ['SwapPool: fee too high', { fee: (OUTPUT_WEI * 500n) / 10_000n + 1n }],
      ['Option::unwrap failed.', { recipient: 2n ** 251n }],
    ])(
      'a withdrawal from the swap pool reverts with "%s" if its valid proof states %p',
      (text, changes) => {
        expect(world.reverted(() => world.claim(changes))).toBe(text);
      },
    );

    it('a withdrawal from the swap pool rejects a spent nullifier', () => {
      world.claim();
      expect(world.reverted(() => world.claim({ recipient: accounts.recipient2.address }))).toBe(
        'SwapPool: already withdrawn',
      );
    });

    it('a swap pool without nullifier checks pays the same proof repeatedly while it has active deposits', () => {
      world = new SwapWorld({ enforceNullifier: false });
      world.swap();
      world.swap({ commitment: 5n });
      const proof = world.claimProof();
      const claim = (): bigint[] =>
        world.chain.call(accounts.lane2.address, swapPool.address, 'withdraw', proof);
      claim();
      claim();
      expect(world.balance(ETH, accounts.recipient1.address)).toBe(2n * OUTPUT_WEI);
      world.chain.call(exchanges.first.address, ETH, 'transfer', [
        swapPool.address,
        ...u256(OUTPUT_WEI),
      ]);
      expect(world.reverted(claim)).toBe('SwapPool: no active deposit');
    });

    it('a withdrawal from the swap pool rejects an invalid proof and malformed calldata', () => {
      const good = world.claimProof();
      const send = (calldata: readonly bigint[]): string =>
        world.reverted(() =>
          world.chain.call(accounts.lane2.address, swapPool.address, 'withdraw', calldata),
        );
      const recipientAt = 34 + 2 * 2;
      expect(send(good.with(recipientAt, 5n))).toBe('SwapPool: invalid proof');
      expect(send([1n, 5n])).toBe('SwapPool: invalid proof');
    });
  });

  it.each([1_001, -1, 0.5])('the swap pool rejects a maximum fee of %p bps', (maxFeeBps) => {
    const verifyProof = groth16Verifier(trapdoorKey);
    expect(() =>
      swapPoolModel({ owner: 1n, wbtc: 2n, router: 3n, maxFeeBps, verifyProof }),
    ).toThrow('maxFeeBps must be an integer');
  });
});
