import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { VAULT_DEPLOYMENT_LIMITS } from '@sotto/curator-core';
import { NodeClient, StarknetCallSimulator } from '@sotto/adapter-starknet';
import { Felts, toFelt, u256ToHalves } from '@sotto/kernel';
import { eventually } from '@sotto/process-kit';
import { DEPLOYMENT_LIMITS } from '@sotto/relayer-core';
import { WITHDRAWAL_LIMITS } from '@sotto/relayer-core/testing';
import { trapdoorKey } from '@sotto/load-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { CURATOR_TOKEN, Site } from './support/site.js';
import { ForgedWithdrawals, anyLeaves, bodyFor } from './support/withdrawals.js';

/** Documented L2 gas of each operation, in millions, from the table of docs/measured/gas.md. */
const DOCUMENTED = documentedFigures(
  readFileSync(new URL('../../../../docs/measured/gas.md', import.meta.url), 'utf8'),
);
/**
 * Maximum relative difference between two calls of the same kind. Proofs, addresses and leaves
 * differ in cost.
 */
const TOLERANCE = 0.05;
const FINE = { isAsDocumented: true, isWithinBounds: true };
/** Maximum L2 gas of one transaction, as limited by the sequencer. */
const TRANSACTION_L2_GAS_MAX = 1_210_000_000n;
/** Maximum L2 gas of a no-op, as limited by the service. */
const NOOP_L2_GAS_MAX = 5_000_000n;

const leaves = anyLeaves(6);
const withdrawals = new ForgedWithdrawals(leaves, 400n);
const doubled = new ForgedWithdrawals(leaves, 800n);

describeOnChain(
  'the gas that is used',
  (node) => {
    let site: Site;
    beforeAll(async () => {
      site = await Site.start(node.start, {
        deposits: { sentinel_1x: leaves, sentinel_2x: leaves, swap_input_1: leaves },
        verificationKey: trapdoorKey,
        env: { GAS_LEARN_INTERVAL_MS: '200' },
      });
    });
    afterAll(() => site.stop());

    /** Returns the service's estimate for the cost of a deposit or withdrawal, in STRK. */
    const estimated = async (step: 'depositGasStrk' | 'withdrawGasStrk'): Promise<number> =>
      (await site.client.GET('/api/relayer/fee-estimate', { params: { query: {} } })).data
        ?.feeBreakdown[step] ?? 0;
    /**
     * Expects that the reported estimate covers the cost of the transaction and exceeds this cost
     * only slightly. The profile derives the estimate from the contracts' gas.
     * @param reported estimate before the transaction; the transaction's receipt replaces the
     *   profile's figure
     */
    const expectEstimated = async (reported: number, hash: unknown): Promise<void> => {
      const { actual_fee: fee } = await site.chain.client.receiptOf(String(hash));
      const paid = Number(fee.amount) / 1e18;
      expect(reported).toBeGreaterThanOrEqual(paid);
      expect(reported).toBeLessThanOrEqual(paid * 1.1);
    };
    /** @returns the L2 gas of a transaction that succeeded within its resource bounds */
    const gasOf = async (hash: unknown): Promise<number> => {
      // Wait for the block, because the next simulation must run on a block that contains this
      // transaction.
      const receipt = await eventually('the transaction to be in a block', async () => {
        const seen = await site.chain.client.receiptOf(String(hash));
        return seen.finality_status !== 'PRE_CONFIRMED' && seen;
      });
      expect(receipt.execution_status).toBe('SUCCEEDED');
      const { l1_gas: l1Gas, l1_data_gas: l1DataGas, l2_gas: l2Gas } = receipt.execution_resources;
      expect(l1Gas).toBe(0);
      expect(BigInt(l1DataGas)).toBeLessThanOrEqual(WITHDRAWAL_LIMITS.l1DataGas);
      return l2Gas;
    };
    const world = () => site.chain.world;

    it('a withdrawal uses the documented gas, within its resource bounds', async () => {
      const calldata = withdrawals.calldata(0);
      // The length includes the felt that contains the length.
      expect(calldata).toHaveLength(2_020);
      const reported = await estimated('withdrawGasStrk');
      const { body } = await site.service.withdraw(bodyFor(world().pools.sentinel_1x, calldata));
      const { transaction_hash: hash } = Object(body);
      expect(judged('withdraw', await gasOf(hash), WITHDRAWAL_LIMITS.l2Gas)).toMatchObject(FINE);
      await expectEstimated(reported, hash);
    });

    it('S13: the gas of a succeeded withdrawal becomes the gas estimate for later withdrawals', async () => {
      const { address } = world().pools.sentinel_2x;
      const call = {
        to: toFelt(address),
        entrypoint: 'withdraw',
        calldata: Felts.parse(doubled.calldata(0)),
      };
      const client = new NodeClient({
        url: site.chain.client.rpcUrl,
        readTimeoutMs: 60_000,
        sendTimeoutMs: 60_000,
      });
      const simulation = await new StarknetCallSimulator(client).simulate(
        call,
        toFelt(world().accounts.lane1.address),
      );
      client.close();
      const { body } = await site.service.withdraw(
        bodyFor(world().pools.sentinel_2x, doubled.calldata(0)),
      );
      const used = await gasOf(Object(body).transaction_hash);
      const simulated = simulation.ok ? Number(simulation.gas?.l2Gas ?? 0) : 0;
      // The simulated gas excludes validation and the fee transfer.
      expect({
        simulation,
        used,
        share: simulated / used > 0.97 && simulated <= used,
      }).toEqual({ simulation, used, share: true });

      const query = { pool: toFelt(address) };
      const learnt = await eventually('the estimate to follow', async () => {
        const { data } = await site.client.GET('/api/relayer/fee-estimate', { params: { query } });
        return data?.withdrawGas.source === 'receipts' && data.withdrawGas;
      });
      expect(learnt).toMatchObject({ l2Gas: used, receipts: 1 });
    });

    it('a private swap uses the documented gas, within its resource bounds', async () => {
      const body = {
        wbtcPool: toFelt(world().pools.swap_input_1.address),
        proofCalldata: [...withdrawals.calldata(1, world().swapPool.address)],
        newCommitment: '0x5a1',
        outputToken: toFelt(world().tokens.USDC.address),
      };
      // A service that has just started first reads the transactions of its swap owner, and rejects
      // swaps until then.
      const { data, error } = await eventually('the swap to be taken', async () => {
        const answer = await site.client.POST('/api/relayer/private-swap', { body });
        return answer.error?.code !== 'SWAP_PINS_INCOMPLETE' && answer;
      }).catch((cause: unknown) => {
        const problems = site.service.output.split('\n').filter((line) => !/"info"/.test(line));
        throw new Error(`the pins stay incomplete: ${problems.slice(-10).join('\n')}`, { cause });
      });
      expect([error, data]).toEqual([
        undefined,
        expect.objectContaining({ execution_status: 'SUCCEEDED' }),
      ]);
      expect(
        judged('private swap', await gasOf(Object(data).transaction_hash), WITHDRAWAL_LIMITS.l2Gas),
      ).toMatchObject(FINE);
    });

    it('deposits and batches use the documented gas, within their resource bounds', async () => {
      const { address } = world().pools.sentinel_1x;
      await site.chain.setAutoDeploy('sentinel_1x', false);
      const deposits = await site.chain.deposit('sentinel_1x', [101n, 102n, 103n, 104n]);
      expect(
        judged(
          'deposit',
          Math.max(...(await Promise.all(deposits.map(gasOf)))),
          TRANSACTION_L2_GAS_MAX,
        ),
      ).toMatchObject(FINE);
      await expectEstimated(await estimated('depositGasStrk'), deposits[0]);
      for (const [operation, count, partial] of [
        ['deploy_batch(3)', 3, false],
        ['deploy_partial_batch(1)', 1, true],
      ] as const) {
        const { data } = await site.client.POST('/api/relayer/deploy-batch', {
          body: { poolAddress: toFelt(address), count, partial },
        });
        expect(
          judged(operation, await gasOf(data?.transaction_hash), DEPLOYMENT_LIMITS.l2Gas),
        ).toMatchObject(FINE);
      }
    });

    it('a vault deployment uses the documented gas, within its resource bounds', async () => {
      const { address } = world().vaults.trident;
      await site.chain.mintWbtc(address, 1_000_000n);
      const { data } = await site.client.POST('/api/curator', {
        body: { vaultId: 'trident' },
        headers: { authorization: `Bearer ${CURATOR_TOKEN}` },
      });
      expect(
        judged('vault deployment', await gasOf(data?.tx), VAULT_DEPLOYMENT_LIMITS.l2Gas),
      ).toMatchObject(FINE);
    });

    it('a transfer of the amount zero uses the documented gas', async () => {
      const { tokens, accounts } = world();
      const call = {
        to: tokens.STRK.address,
        entrypoint: 'transfer',
        calldata: [accounts.lane3.address, ...u256ToHalves(0n)],
      };
      const [hash] = await site.chain.act(accounts.lane3, [call]);
      expect(judged('transfer of nothing', await gasOf(hash), NOOP_L2_GAS_MAX)).toMatchObject(FINE);
    });
  },
  'metersGas',
);

/**
 * Compares the gas of an operation with the documented gas and with the operation's gas limit. A
 * test that fails prints the returned figures.
 */
function judged(operation: string, gas: number, bound: bigint): object {
  const documented = DOCUMENTED.get(operation) ?? 0;
  const measured = gas / 1e6;
  return {
    operation,
    documented,
    measured,
    isAsDocumented: Math.abs(measured / documented - 1) <= TOLERANCE,
    isWithinBounds: BigInt(gas) <= bound,
  };
}

/**
 * Parses the table of documented gas. The key is the first column, the value is the number before `
 * M` in the last column.
 */
function documentedFigures(markdown: string): ReadonlyMap<string, number> {
  const rows = markdown.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.map((row) => {
      const cells = row.split('|').map((cell) => cell.trim());
      return [cells[1]?.replaceAll('`', '') ?? '', Number.parseFloat(cells.at(-2) ?? '')] as const;
    }),
  );
}
