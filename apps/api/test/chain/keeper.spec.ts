import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock, u256ToHalves } from '@sotto/kernel';
import { eventually, keeperVariables } from '@sotto/process-kit';
import { describeOnChain } from './support/describe-on-chain.js';
import { CURATOR_TOKEN, Site } from './support/site.js';

const OPERATOR_TOKEN = 'token-of-the-operator';
/**
 * Amount of 1,000 USDC per purchase. At a Mayer Multiple of 0.9 the order spends a quarter more,
 * 1,250 USDC. At 100,000 USD per WBTC, 1,250 USDC buy `BOUGHT_SATS` of WBTC.
 */
const AMOUNT = 1_000_000_000n;
const BOUGHT_SATS = 1_250_000n;
const IDLE_SATS = 1_250_000n;
const COLLATERAL_SATS = 10_000_000n;
/** Amount of USDC per sat in units of 1e-6, at a WBTC price of 100,000 USD. */
const USDC_E6_PER_SAT = 1_000n;
/**
 * Borrow rate of 1.5 % a year, in units of 1e-18 per second, below the yield of WBTC. Otherwise the
 * curator would borrow nothing.
 */
const RATE_E18 = 480_000_000n;
const FLOOR_FRI = 1_000n * 10n ** 18n;

/**
 * Tests the keeper with the settings of the development stack. The tests run only on a chain that
 * meters gas, because gas decides if a call pays. The same cases run on the sandbox in
 * keeper.spec.ts and purchases.spec.ts of test/e2e.
 */
describeOnChain(
  'the keeper',
  (node) => {
    let site: Site;
    beforeAll(async () => {
      site = await startSite(node.start);
    });
    afterAll(() => site.stop());

    const acted = async (task: string, subject: string) => {
      const id = await eventually(
        `${task} to act on ${subject}`,
        async () => (await subjectOf(site, task, subject))?.lastActed?.submission,
      );
      const submission = await site.settled(`/api/relayer/submissions/${id}`, 'succeeded');
      return site.chain.client.receiptOf(String(submission['transaction_hash']));
    };

    it('the keeper deploys the idle funds of a vault', async () => {
      const { apex } = site.chain.world.vaults;
      await site.chain.mintWbtc(apex.address, IDLE_SATS);
      expect((await acted('curator', 'apex')).execution_status).toBe('SUCCEEDED');
      expect(await site.chain.wbtcOf(apex.address)).toBe(0n);
      expect(await site.chain.wbtcOf(apex.strategy)).toBe(IDLE_SATS);
    });

    it('the keeper executes a smart order at the Mayer Multiple of 200 daily closing prices', async () => {
      const { accounts, purchases, tokens } = site.chain.world;
      const { buyer, keeper1 } = accounts;
      const before = await site.chain.wbtcOf(buyer.address);
      const terms = [tokens.USDC.address, ...u256ToHalves(AMOUNT), 3_600n, 2n, 1n];
      await site.chain.act(buyer, [
        {
          to: tokens.USDC.address,
          entrypoint: 'approve',
          calldata: [purchases.address, ...u256ToHalves(3n * AMOUNT)],
        },
        { to: purchases.address, entrypoint: 'create_order', calldata: terms },
      ]);
      const { actual_fee } = await acted('purchases', '1');
      const feeSats = BOUGHT_SATS / 1_000n;
      expect(await site.chain.wbtcOf(keeper1.address)).toBe(feeSats);
      expect((await site.chain.wbtcOf(buyer.address)) - before).toBe(BOUGHT_SATS - feeSats);
      expect((await site.client.GET('/api/keeper/mayer')).data).toMatchObject({
        verdict: 'confirmed',
        contract: { multiple: '0.900000', band: '1.25' },
        // In the first hour of a day, the source may not know yesterday's close, which is the last
        // of the 200 daily closing prices.
        own: { multiple: expect.stringMatching(/^0\.(900|8999)/), band: '1.25' },
        days: { agreed: expect.any(Number), disputed: 0 },
      });
      expect(actual_fee.amount).toBeGreaterThan(0n);
      await acted('treasury', 'keeper-0');
      expect(
        await site.chain.client.balanceOf(tokens.STRK.address, keeper1.address),
      ).toBeGreaterThan(FLOOR_FRI);
    });
  },
  'metersGas',
);

describeOnChain('the keeper of a vault whose debt grows by the second', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite(node.start);
  });
  afterAll(() => site.stop());

  const lead = async (target: number) => {
    const { response } = await site.client.POST('/api/operator/leverage/{vault}', {
      params: { path: { vault: 'turbo' } },
      body: { target },
      headers: { authorization: `Bearer ${OPERATOR_TOKEN}` },
    });
    expect(response.status).toBe(200);
    await eventually(`turbo to be at ${target}`, async () => {
      const { reason, details = {} } = (await subjectOf(site, 'leverage', 'turbo')) ?? {};
      return reason === 'AT_TARGET' && Math.abs(Number(details['leverage']) - target) < 0.06;
    });
  };

  it('the keeper moves the vault turbo to a leverage of three and back to one', async () => {
    const { lendingPools, tokens, vaults } = site.chain.world;
    const { turbo } = vaults;
    const position = () => site.chain.client.view(turbo.address, 'position');
    await site.chain.setInterest(lendingPools.prime.address, RATE_E18);
    await site.chain.mintWbtc(turbo.address, COLLATERAL_SATS);
    const { response } = await site.client.POST('/api/curator', {
      body: { vaultId: 'turbo' },
      headers: { authorization: `Bearer ${CURATOR_TOKEN}` },
    });
    expect(response.status).toBe(200);
    await lead(3);
    const [most = 0n, , debtE6 = 0n] = await position();
    expect(most).toBeGreaterThan(29n * (COLLATERAL_SATS / 10n));
    await systemClock.sleep(1_500);
    await site.chain.mine();
    expect((await position())[2]).toBeGreaterThan(debtE6);
    await lead(1);
    const [collateral = 0n, , debt, , nominalDebt] = await position();
    expect([debt, nominalDebt]).toEqual([0n, 0n]);
    // After the last leverage round, the vault retains the USDC that were not needed to repay the
    // debt.
    const leftE6 = await site.chain.client.balanceOf(tokens.USDC.address, turbo.address);
    expect(leftE6).toBeLessThan(USDC_E6_PER_SAT * 10n);
    const lostSats = COLLATERAL_SATS - collateral - leftE6 / USDC_E6_PER_SAT;
    expect(lostSats).toBeLessThan(10n);
    expect(new Set(site.ledger().attempts.map(({ state }) => state))).toEqual(
      new Set(['succeeded']),
    );
  });
});

const startSite = (startChain: Parameters<typeof Site.start>[0]): Promise<Site> =>
  Site.start(startChain, {
    env: ({ world: { accounts }, neighbours: { aggregatorUrl } }) => ({
      ...keeperVariables({ accounts, aggregatorUrl }),
      OPERATOR_API_TOKENS: JSON.stringify({ default: OPERATOR_TOKEN }),
    }),
  });

async function subjectOf(site: Site, task: string, subject: string) {
  const { data } = await site.client.GET('/api/keeper/status');
  const found = data?.tasks.find((each) => each.task === task);
  return found?.subjects.find((each) => each.subject === subject);
}
