import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { proveWithdrawal, withdrawalCalldata } from '@sotto/prover';
import { noteOf, type Note } from '@sotto/wallet/advanced';
import { loadDevelopmentKeys, type DevelopmentKeys } from '@sotto/prover/node';
import { z } from 'zod';
import { SWAP_POOL_STORAGE } from '../../../src/contracts/swap-pool.js';
import { selectorOf, toHex } from '../../../src/engine/felt.js';
import { buildGenesis, sandboxWorld, type SandboxAccount } from '../../../src/index.js';
import { startHarness, type Harness } from '../../support/harness.js';
import type { Call } from '../../support/wire-invoke.js';
import { AggregatorClient } from './client.js';

const { accounts, tokens, pools, swapPool } = sandboxWorld;
const INPUT_POOL = pools.swap_input_1;
const FEE_SATS = 400n;
const RECEIVED_SATS = INPUT_POOL.denomination - FEE_SATS;
const CLAIM_FEE = 1_000n;
const chainId = toHex(BigInt(`0x${Buffer.from(sandboxWorld.chainId).toString('hex')}`));
const halves = (value: bigint): bigint[] => [value & ((1n << 128n) - 1n), value >> 128n];

/** Expected output of each swap: an amount that is worth 19.6 USD, in each output token. */
const OUTPUTS = [
  { token: tokens.ETH.address, amount: 5_600_000_000_000_000n },
  { token: tokens.USDC.address, amount: 19_600_000n },
  { token: tokens.STRK.address, amount: 490n * 10n ** 18n },
] as const;
const [ETH_OUTPUT] = OUTPUTS;
const inputNotes = [noteOf(101n, 201n), noteOf(102n, 202n), noteOf(103n, 203n)] as const;
const outputNotes = [noteOf(111n, 211n), noteOf(112n, 212n), noteOf(113n, 213n)] as const;
const commitmentsOf = (notes: readonly Note[]): bigint[] =>
  notes.map(({ commitment }) => commitment);

const Receipt = z.object({
  execution_status: z.string(),
  revert_reason: z.string().optional(),
  events: z.array(
    z.object({ from_address: z.string(), keys: z.array(z.string()), data: z.array(z.string()) }),
  ),
  execution_resources: z.object({ l2_gas: z.number() }),
});

/**
 * Timeout for tests that hash transactions with a proof. Each hash needs 0.2 s in the test and 0.2
 * s in the node. On a busy machine, each hash needs several times as long.
 */

describe('private swaps on the development world', () => {
  let keys: DevelopmentKeys;
  let inputProofs: bigint[][];
  let claimProofs: bigint[][];
  let node: Harness;
  let aggregator: AggregatorClient;
  let nonces: Map<bigint, bigint>;

  beforeAll(async () => {
    keys = await loadDevelopmentKeys();
    inputProofs = [];
    claimProofs = [];
    for (const note of inputNotes) inputProofs.push(await proveInput(note));
    for (const [index, note] of outputNotes.entries())
      claimProofs.push(await proveClaim(note, index));
  });

  beforeEach(async () => {
    node = await startHarness({ genesis: buildGenesis({ verificationKey: keys.verificationKey }) });
    aggregator = new AggregatorClient(node.aggregatorUrl);
    nonces = new Map();
    for (const commitment of commitmentsOf(inputNotes)) {
      const calldata = [...halves(commitment), accounts.crowd1.address];
      await run(accounts.lane1, { to: INPUT_POOL.address, entrypoint: 'deposit', calldata });
    }
  });
  afterEach(() => node.stop());

  it('a private swap pays each output token into the swap pool, and its output note can be withdrawn', async () => {
    for (const [index, { token, amount }] of OUTPUTS.entries()) {
      const receipt = await run(accounts.swapOwner, await privateSwap(index));
      expect(receipt.revert_reason).toBeUndefined();
      expect(receipt.execution_resources.l2_gas).toBeGreaterThan(36_000_000);
      expect(receipt.execution_resources.l2_gas).toBeLessThan(44_000_000);
      expect(eventOf(receipt, 'SwapDeposit')).toEqual({
        from_address: toHex(swapPool.address),
        keys: [
          toHex(selectorOf('SwapDeposit')),
          ...halves(outputNotes[index]?.commitment ?? 0n).map(toHex),
        ],
        data: [
          toHex(BigInt(index)),
          toHex(token),
          ...halves(amount).map(toHex),
          expect.stringMatching(/^0x/),
        ],
      });
      expect(await balance(token, swapPool.address)).toBe(amount);
    }
    expect(await balance(tokens.WBTC.address, accounts.feeCollector.address)).toBe(3n * FEE_SATS);
    expect(await balance(tokens.WBTC.address, swapPool.address)).toBe(0n);

    for (const [index, { token, amount }] of OUTPUTS.entries()) {
      const receipt = await run(accounts.lane2, claim(index));
      expect(receipt.revert_reason).toBeUndefined();
      expect(eventOf(receipt, 'SwapWithdraw')?.data).toEqual(
        [accounts.recipient1.address, token, ...halves(amount - CLAIM_FEE), CLAIM_FEE, 0n].map(
          toHex,
        ),
      );
      expect(await balance(token, accounts.recipient1.address)).toBe(amount - CLAIM_FEE);
      expect(await balance(token, swapPool.address)).toBe(0n);
    }
    expect((await run(accounts.lane2, claim(0))).revert_reason).toContain(
      "('SwapPool: already withdrawn')",
    );
    expect(await node.view(swapPool.address, 'active_deposits')).toEqual(['0x0']);
    expect(await node.view(swapPool.address, 'total_swaps')).toEqual(['0x3']);
  });

  it('a private swap reverts if the price falls too far after the build', async () => {
    const pair = { sellToken: tokens.WBTC.address, buyToken: ETH_OUTPUT.token };
    const call = await privateSwap(0);
    node.control.aggregator.moveRate(pair, -101);
    const breached = await run(accounts.swapOwner, call);
    expect(breached.execution_status).toBe('REVERTED');
    expect(breached.revert_reason).toContain("('Insufficient tokens received')");
    expect(
      breached.events.filter(({ from_address: from }) => from === toHex(swapPool.address)),
    ).toEqual([]);
    expect(
      await node.view(INPUT_POOL.address, 'is_spent', halves(inputNotes[0].nullifierHash)),
    ).toEqual(['0x0']);
    expect(await node.view(swapPool.address, 'get_next_index')).toEqual(['0x0']);

    node.control.aggregator.setRate({
      ...pair,
      sellAmount: RECEIVED_SATS,
      buyAmount: ETH_OUTPUT.amount,
    });
    expect((await run(accounts.swapOwner, call)).execution_status).toBe('SUCCEEDED');
    expect(await balance(ETH_OUTPUT.token, swapPool.address)).toBe(ETH_OUTPUT.amount);
  });

  it.each(['split', 'branch'] as const)(
    'a private swap accepts routes of the form: %s',
    async (routeForm) => {
      node.control.aggregator.configure({ routeForm });
      const quoted = BigInt((await aggregator.quote()).buyAmount);
      expect((await run(accounts.swapOwner, await privateSwap(0))).execution_status).toBe(
        'SUCCEEDED',
      );
      expect(await balance(ETH_OUTPUT.token, swapPool.address)).toBe(quoted);
    },
  );

  it('a private swap with branch routes reverts if its swap pool was compiled against the older Route struct', async () => {
    node.control.aggregator.configure({ routeForm: 'branch' });
    node.control.setStorage(swapPool.address, SWAP_POOL_STORAGE.olderRoutes, 1n);
    const receipt = await run(accounts.swapOwner, await privateSwap(0));
    expect(receipt.execution_status).toBe('REVERTED');
    expect(receipt.revert_reason).toContain('Failed to deserialize param #6');
  });

  it('a private swap reverts for any account except the owner', async () => {
    expect((await run(accounts.lane1, await privateSwap(0))).revert_reason).toContain(
      "('Not owner')",
    );
  });

  /**
   * Builds the call of a private swap as a relayer does: requests a quote and a build for the swap
   * pool, then uses the minimum and routes of the build.
   */
  async function privateSwap(index: number): Promise<Call> {
    const token = OUTPUTS[index]?.token ?? 0n;
    const { quoteId } = await aggregator.quote(toHex(token), RECEIVED_SATS);
    const { body } = await aggregator.build(quoteId);
    const [, swap] = z
      .tuple([z.unknown(), z.object({ calldata: z.array(z.string().transform(BigInt)) })])
      .parse(body);
    const proof = inputProofs[index] ?? [];
    const commitment = halves(outputNotes[index]?.commitment ?? 0n);
    const calldata = [
      INPUT_POOL.address,
      ...proof,
      ...commitment,
      token,
      ...swap.calldata.slice(6, 8),
      ...swap.calldata.slice(11),
    ];
    return { to: swapPool.address, entrypoint: 'private_swap', calldata };
  }

  function claim(index: number): Call {
    return { to: swapPool.address, entrypoint: 'withdraw', calldata: claimProofs[index] ?? [] };
  }

  async function proveInput(note: Note): Promise<bigint[]> {
    const terms = {
      recipient: swapPool.address,
      relayer: accounts.feeCollector.address,
      feeAmount: FEE_SATS,
      batchStart: 0,
      batchSize: 3,
    };
    return calldataOf(
      await proveWithdrawal({ ...terms, note, leaves: commitmentsOf(inputNotes) }, keys),
    );
  }

  /**
   * Proves a withdrawal of an output note from the swap pool. The leaves of the pool's tree are the
   * output notes, in the sequence of the swaps.
   */
  async function proveClaim(note: Note, leafIndex: number): Promise<bigint[]> {
    const { recipient1, feeCollector } = accounts;
    const terms = {
      recipient: recipient1.address,
      relayer: feeCollector.address,
      feeAmount: CLAIM_FEE,
      batchStart: leafIndex,
      batchSize: 1,
    };
    return calldataOf(
      await proveWithdrawal({ ...terms, note, leaves: commitmentsOf(outputNotes) }, keys),
    );
  }

  async function calldataOf(proof: Awaited<ReturnType<typeof proveWithdrawal>>): Promise<bigint[]> {
    return (await withdrawalCalldata(proof, keys.verificationKey)).map(BigInt);
  }

  async function run(account: SandboxAccount, call: Call): Promise<z.output<typeof Receipt>> {
    const nonce = nonces.get(account.address) ?? 0n;
    nonces.set(account.address, nonce + 1n);
    const hash = await node.send({ account, nonce, calls: [call], chainId });
    node.control.mine();
    return Receipt.parse(await node.result('starknet_getTransactionReceipt', [hash]));
  }

  async function balance(token: bigint, owner: bigint): Promise<bigint> {
    const [low, high] = z
      .array(z.string().transform(BigInt))
      .parse(await node.view(token, 'balance_of', [owner]));
    return (low ?? 0n) + ((high ?? 0n) << 128n);
  }
});

function eventOf(
  { events }: z.output<typeof Receipt>,
  name: string,
): z.output<typeof Receipt>['events'][number] | undefined {
  return events.find(({ keys: [selector] }) => selector === toHex(selectorOf(name)));
}
