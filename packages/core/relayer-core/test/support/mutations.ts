import { accountAddress } from '@sotto/kernel/testing';
import { feltToBigInt, toFelt, type Felt, type Felts } from '@sotto/kernel';
import type { FeeQuote } from '../../src/index.js';
import { LIMITS, anEntry } from './guard-world.js';
import { calldataWith, goodCalldata, proofOf, vector } from './vector.js';
import { NOW_MS, STRANDING, pool, poolState, quote, type World } from './world.js';

/** Order of BN254's scalar field. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

export interface Mutation {
  readonly check: string;
  readonly code: string;
  readonly what: string;
  /**
   * Other checks that also fail under this mutation for every fee. For example, if the cost exceeds
   * the maximum fee, no fee is valid.
   */
  readonly inevitably?: readonly { readonly code: string }[];
  /**
   * Changes the world, the request, or both. A changed request still has a valid proof, unless the
   * mutation changes the proof itself.
   */
  readonly make: (world: World) => {
    readonly poolAddress?: Felt;
    readonly calldata?: Felts;
    readonly quoteId?: string;
  };
}

function proven(world: World, calldata: Felts): { readonly calldata: Felts } {
  world.verifier.accept(proofOf(calldata));
  return { calldata };
}

function citing(world: World, changes: Partial<FeeQuote>): { readonly quoteId: string } {
  world.quoteStore.put({ ...quote, ...changes });
  return { quoteId: quote.id };
}

/** Changes of a valid request or of its world. Each change makes one check fail. */
export const mutations: readonly Mutation[] = [
  {
    check: 'pool_served',
    code: 'POOL_NOT_SUPPORTED',
    what: 'an unknown pool',
    make: () => ({ poolAddress: toFelt('0x1234') }),
  },
  {
    check: 'proof_layout',
    code: 'PROOF_LAYOUT_INVALID',
    what: 'a felt too few',
    make: () => ({ calldata: goodCalldata.slice(0, -1) }),
  },
  {
    check: 'public_inputs',
    code: 'PUBLIC_INPUT_OUT_OF_RANGE',
    what: 'a nullifier hash not below r',
    make: (world) => proven(world, calldataWith({ nullifierHash: R })),
  },
  {
    check: 'public_inputs',
    code: 'PUBLIC_INPUT_OUT_OF_RANGE',
    what: 'a batch start beyond u32',
    make: (world) => proven(world, calldataWith({ batchStart: 2n ** 32n })),
  },
  {
    check: 'relayer',
    code: 'RELAYER_MISMATCH',
    what: 'another relayer',
    make: (world) => proven(world, calldataWith({ relayer: BigInt(vector.relayer) + 1n })),
  },
  {
    check: 'recipient',
    code: 'RECIPIENT_INVALID',
    what: 'no recipient',
    make: (world) => proven(world, calldataWith({ recipient: 0n })),
  },
  {
    check: 'recipient',
    code: 'RECIPIENT_INVALID',
    what: 'the address of another chain as the recipient',
    make: (world) => proven(world, calldataWith({ recipient: 2n ** 160n - 1n })),
  },
  {
    check: 'recipient',
    code: 'RECIPIENT_INVALID',
    what: 'a recipient that can not give the payout back',
    make: (world) => proven(world, calldataWith({ recipient: feltToBigInt(STRANDING) })),
  },
  {
    check: 'queue',
    code: 'QUEUE_FULL',
    what: 'a queue that is as long as it may get',
    make: ({ submissions }) => {
      submissions.fill('relay');
      submissions.fill('swap_owner');
      return {};
    },
  },
  {
    check: 'pool_open',
    code: 'POOL_PAUSED',
    what: 'a pool that the operator has paused',
    make: ({ guarding }) => {
      void guarding.controls.pause(pool.address, 'upgrade', NOW_MS);
      return {};
    },
  },
  {
    check: 'pool_open',
    code: 'POOL_PAUSED',
    what: 'a pool whose transactions revert',
    make: ({ guarding }) => {
      for (let run = 0; run < LIMITS.revertsInARow; run += 1)
        guarding.money.end(anEntry(pool, NOW_MS - 1, { state: 'reverted' }));
      return {};
    },
  },
  {
    check: 'budget',
    code: 'BUDGET_EXHAUSTED',
    what: 'gas of the pool that is spent',
    make: ({ guarding }) => {
      guarding.money.end(anEntry(pool, NOW_MS - 1, { gasPaidFri: LIMITS.hourlyGasPerPoolFri }));
      return {};
    },
  },
  {
    check: 'quote',
    code: 'QUOTE_UNKNOWN',
    what: 'a quote that was never given',
    make: () => ({ quoteId: quote.id }),
  },
  {
    check: 'quote',
    code: 'QUOTE_EXPIRED',
    what: 'a quote that is over',
    make: (world) => citing(world, { expiresAtMs: NOW_MS }),
  },
  {
    check: 'quote',
    code: 'QUOTE_MISMATCH',
    what: 'a quote for another pool',
    make: (world) => citing(world, { pool: toFelt('0x1234') }),
  },
  {
    check: 'quote',
    code: 'QUOTE_MISMATCH',
    what: 'a quote on another chain',
    make: (world) => citing(world, { chainId: toFelt('0x1') }),
  },
  {
    check: 'quote',
    code: 'QUOTE_MISMATCH',
    what: 'a quote of another relayer',
    make: (world) => citing(world, { relayer: toFelt('0x1') }),
  },
  {
    check: 'fee_covers_cost',
    code: 'FEE_TOO_LOW',
    what: 'a fee below its quote',
    make: (world) => citing(world, { feeAmount: BigInt(vector.feeSats) + 1n }),
  },
  {
    check: 'fee_payable',
    code: 'WITHDRAWAL_UNPROFITABLE',
    what: 'a pool that allows less than the cost',
    inevitably: [{ code: 'FEE_ABOVE_POOL_MAXIMUM' }],
    make: (world) => {
      world.pools.set(pool.address, { ...poolState, maxFee: 20n });
      return {};
    },
  },
  {
    check: 'fee_covers_cost',
    code: 'FEE_TOO_LOW',
    what: 'a fee below the cost',
    make: (world) => proven(world, calldataWith({ fee: 20n })),
  },
  {
    check: 'fee_within_maximum',
    code: 'FEE_ABOVE_POOL_MAXIMUM',
    what: 'a fee above the maximum',
    make: (world) => proven(world, calldataWith({ fee: 1_001n })),
  },
  {
    check: 'batch',
    code: 'BATCH_OUT_OF_BOUNDS',
    what: 'an empty batch',
    make: (world) => proven(world, calldataWith({ batchSize: 0n })),
  },
  {
    check: 'batch',
    code: 'BATCH_OUT_OF_BOUNDS',
    what: 'a batch that is not deployed yet',
    make: (world) => {
      world.pools.set(pool.address, { ...poolState, undeployedCount: 2 });
      return {};
    },
  },
  {
    check: 'root_known',
    code: 'ROOT_UNKNOWN',
    what: 'a root that the pool has forgotten',
    make: (world) => {
      world.pools.set(pool.address, { ...poolState, knownRoots: [1n] });
      return {};
    },
  },
  {
    check: 'nullifier_unspent',
    code: 'NULLIFIER_SPENT',
    what: 'a spent note',
    make: (world) => {
      world.pools.spend(pool.address, BigInt(vector.publicInputs[1] ?? 0));
      return {};
    },
  },
  {
    check: 'pairing',
    code: 'PROOF_INVALID',
    what: 'a recipient put in by a third party',
    make: () => ({ calldata: calldataWith({ recipient: accountAddress(5n) }) }),
  },
  {
    check: 'simulation',
    code: 'SIMULATION_REVERTED',
    what: 'hints that the contract refuses',
    make: (world) => {
      world.simulator.revert("0x706169 ('invalid proof')");
      return {};
    },
  },
];
