import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@sotto/kernel';
import { describeOnChain } from './support/describe-on-chain.js';
import type { VaultId } from './support/chain-world.js';
import { CURATOR_TOKEN, Site } from './support/site.js';

const IDLE_SATS = 1_250_000n;
/** Time in milliseconds within which an idle service polls several times. */
const SEEN_AFTER_MS = 3_000;
const VAULT_IDS: readonly VaultId[] = [
  'sentinel',
  'citadel',
  'trident',
  'delta_neutral',
  'turbo',
  'apex',
];

describeOnChain('the curator', (node) => {
  let site: Site;
  beforeAll(async () => {
    site = await Site.start(node.start);
  });
  afterAll(() => site.stop());

  const vault = (id: VaultId) => site.chain.world.vaults[id];
  const deploy = (vaultId: VaultId, token = CURATOR_TOKEN) =>
    site.client.POST('/api/curator', {
      body: { vaultId },
      headers: { authorization: `Bearer ${token}` },
    });
  const nonce = () => site.chain.client.nonceOf(site.chain.world.accounts.curator.address);
  const fundsOf = async (id: VaultId) => [
    await site.chain.wbtcOf(vault(id).address),
    await site.chain.wbtcOf(vault(id).strategy),
  ];

  it.each(VAULT_IDS)(
    'the curator deploys the idle funds of the vault %s, and a second request finds no idle funds',
    async (id) => {
      await site.chain.mintWbtc(vault(id).address, IDLE_SATS);
      expect(await fundsOf(id)).toEqual([IDLE_SATS, 0n]);
      const before = await nonce();
      const { data, response } = await deploy(id);
      expect([response.status, data]).toEqual([
        200,
        {
          status: 'deployed',
          tx: expect.stringMatching(/^0x[\da-f]+$/),
          amount: String(IDLE_SATS),
        },
      ]);
      expect(await site.chain.client.receiptOf(data?.tx ?? '')).toMatchObject({
        execution_status: 'SUCCEEDED',
      });
      expect(await fundsOf(id)).toEqual([0n, IDLE_SATS]);

      expect((await deploy(id)).data).toStrictEqual({ status: 'no_idle_funds' });
      expect(await nonce()).toBe(before + 1n);
    },
  );

  it('the curator does not send a deployment that the vault would revert, and reports the revert reason', async () => {
    await site.chain.mintWbtc(vault('citadel').address, IDLE_SATS);
    await site.chain.setPaused(vault('citadel').address, true);
    // The curator's account also owns the vault. A deployment with the same nonce as the owner's
    // call would replace this call, and would then wait for finality.
    await systemClock.sleep(SEEN_AFTER_MS);
    const before = await nonce();
    const { error, response } = await deploy('citadel');
    expect([response.status, error?.code]).toEqual([422, 'SIMULATION_REVERTED']);
    expect(error?.details?.['reason']).toContain('paused');
    expect(await nonce()).toBe(before);
    expect((await fundsOf('citadel'))[0]).toBe(IDLE_SATS);
  });

  it('the curator’s route rejects a caller without a valid token', async () => {
    const before = await nonce();
    const { error, response } = await deploy('citadel', 'unknown-token');
    expect([response.status, error?.code]).toEqual([401, 'CURATOR_UNAUTHORIZED']);
    expect(await nonce()).toBe(before);
  });
});
