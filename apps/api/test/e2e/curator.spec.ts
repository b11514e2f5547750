import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { SottoClient } from '@sotto/client';
import { eventually } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { clientOf, restarted, startDomains, TOKENS } from './support/domains.js';
import type { Stack } from './support/stack.js';

const { vaults, tokens, accounts } = sandboxWorld;
const IDLE_SATS = 1_250_000n;
const QUICK = { candidateMs: 10, preConfirmedMs: 30, blockMs: 120 };
type VaultId = keyof typeof vaults;
const VAULT_IDS = [
  'sentinel',
  'citadel',
  'trident',
  'delta_neutral',
  'turbo',
  'apex',
] as const satisfies readonly VaultId[];

describe('the curator', () => {
  let stack: Stack;
  let sotto: SottoClient;
  beforeAll(async () => {
    stack = await startDomains({ cadence: QUICK }, { WAIT_FOR_CONFIRMATION_MS: '5000' });
    await stack.service.ready();
    sotto = clientOf(stack);
  });
  afterAll(() => stack.stop());
  afterEach(() => {
    stack.chain.control.clearFaults();
    stack.chain.control.resume();
  });

  const leaveIdle = (vault: VaultId, sats = IDLE_SATS): void =>
    stack.chain.control.mint(vaults[vault].address, sats, tokens.WBTC.address);
  const idle = (vault: VaultId): Promise<bigint> => stack.chain.wbtcOf(vaults[vault].address);
  const inStrategy = (vault: VaultId): Promise<bigint> =>
    stack.chain.wbtcOf(vaults[vault].strategy);
  const deploy = (vaultId: string, authorization: string | null = `Bearer ${TOKENS.first}`) =>
    sotto.POST('/api/curator', {
      body: { vaultId },
      ...(authorization === null ? {} : { headers: { authorization } }),
    });
  const inclusions = () => stack.chain.inclusions(accounts.curator);

  it.each(VAULT_IDS)(
    'the curator deploys the idle funds of the vault %s, and a second request finds no idle funds',
    async (vault) => {
      leaveIdle(vault);
      const [before, sent] = [await inStrategy(vault), inclusions().length];
      const { data, response } = await deploy(vault);
      expect(response.status).toBe(200);
      expect(data).toStrictEqual({
        status: 'deployed',
        tx: expect.stringMatching(/^0x[0-9a-f]+$/),
        amount: String(IDLE_SATS),
      });
      expect(inclusions().slice(sent)).toMatchObject([
        { hash: BigInt(data?.tx ?? 0), executionStatus: 'SUCCEEDED' },
      ]);
      expect([await idle(vault), (await inStrategy(vault)) - before]).toEqual([0n, IDLE_SATS]);

      expect((await deploy(vault)).data).toStrictEqual({ status: 'no_idle_funds' });
      expect(inclusions()).toHaveLength(sent + 1);
    },
  );

  it('responds to an unknown vault with VAULT_NOT_FOUND', async () => {
    const { error, response } = await deploy('pyramid');
    expect([response.status, error?.code]).toEqual([404, 'VAULT_NOT_FOUND']);
  });

  it.each([
    ['no header', null],
    ['a wrong token', 'Bearer unknown-token'],
    ['another scheme', `Basic ${TOKENS.first}`],
    ['a token that begins like one', `Bearer ${TOKENS.first.slice(0, -1)}`],
  ])('the curator’s route rejects a caller with %s', async (_what, authorization) => {
    leaveIdle('apex', 1n);
    const sent = inclusions().length;
    const { error, response } = await deploy('apex', authorization);
    expect([response.status, error?.code]).toEqual([401, 'CURATOR_UNAUTHORIZED']);
    expect(error?.error).toEqual(expect.any(String));
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /);
    expect(inclusions()).toHaveLength(sent);
    expect(await idle('apex')).toBeGreaterThan(0n);
  });

  it('the curator’s route accepts every configured token', async () => {
    leaveIdle('apex', 1n);
    expect((await deploy('apex', `Bearer ${TOKENS.second}`)).data?.status).toBe('deployed');
    expect((await deploy('apex', `bearer ${TOKENS.first}`)).data?.status).toBe('no_idle_funds');
  });

  it('deploys idle funds once for concurrent callers, and returns the same result to all of them', async () => {
    leaveIdle('turbo');
    const sent = inclusions().length;
    stack.chain.control.pause();
    const requested = Promise.all(Array.from({ length: 5 }, () => deploy('turbo')));
    await eventually(
      'the deployment to be sent',
      () => stack.chain.waiting(accounts.curator).length > 0,
    );
    stack.chain.control.resume();
    const answers = await requested;
    const [first] = answers;
    expect(first?.data).toMatchObject({ status: 'deployed', amount: String(IDLE_SATS) });
    for (const { data } of answers) expect(data).toEqual(first?.data);
    expect(inclusions()).toHaveLength(sent + 1);
  });

  it('reports a reverted deployment with its transaction hash and its revert reason', async () => {
    leaveIdle('citadel');
    const sent = inclusions().length;
    // The vault is paused only after the deployment was sent. If the vault were paused earlier, the
    // simulation would detect the pause.
    stack.chain.control.pause();
    const requested = deploy('citadel');
    await eventually(
      'the deployment to be sent',
      () => stack.chain.waiting(accounts.curator).length > 0,
    );
    stack.chain.control.setStorage(vaults.citadel.address, 'paused', 1n);
    stack.chain.control.resume();
    const { error, response } = await requested;
    expect([response.status, error?.code]).toEqual([502, 'DEPLOYMENT_REVERTED']);
    const [inclusion] = inclusions().slice(sent);
    expect(inclusion?.executionStatus).toBe('REVERTED');
    expect(error?.details).toMatchObject({
      transactionHash: `0x${inclusion?.hash.toString(16) ?? ''}`,
      reason: expect.stringContaining('paused'),
    });
    expect(await idle('citadel')).toBe(IDLE_SATS);

    stack.chain.control.setStorage(vaults.citadel.address, 'paused', 0n);
    const again = await eventually(
      'the revert to be final',
      async () => (await deploy('citadel')).data,
    );
    expect(again).toMatchObject({ status: 'deployed', amount: String(IDLE_SATS) });
    expect(await idle('citadel')).toBe(0n);
  });

  it('does not send a deployment that the vault would revert, and reports the revert reason', async () => {
    leaveIdle('citadel');
    const sent = inclusions().length;
    stack.chain.control.setStorage(vaults.citadel.address, 'paused', 1n);
    const { error, response } = await deploy('citadel');
    expect([response.status, error?.code]).toEqual([422, 'SIMULATION_REVERTED']);
    expect(error?.details).toMatchObject({ reason: expect.stringContaining('paused') });
    expect(inclusions()).toHaveLength(sent);
    stack.chain.control.setStorage(vaults.citadel.address, 'paused', 0n);
    expect((await deploy('citadel')).data).toMatchObject({ status: 'deployed' });
  });

  it('sends no deployment while the node does not respond', async () => {
    leaveIdle('trident');
    const sent = inclusions().length;
    stack.chain.control.addFault({
      method: 'starknet_call',
      fault: { kind: 'drop-before' },
      times: 1_000,
    });
    const { error, response } = await deploy('trident');
    expect([response.status, error?.code]).toEqual([503, 'NODE_UNAVAILABLE']);
    expect(inclusions()).toHaveLength(sent);
    stack.chain.control.clearFaults();
    expect((await deploy('trident')).data).toMatchObject({
      status: 'deployed',
      amount: String(IDLE_SATS),
    });
  });

  it('deploys idle funds once if the node accepts the transaction but does not respond', async () => {
    leaveIdle('sentinel');
    const sent = inclusions().length;
    stack.chain.control.addFault({
      method: 'starknet_addInvokeTransaction',
      fault: { kind: 'accept-and-drop-answer' },
    });
    const answer = await eventually('an answer', async () => (await deploy('sentinel')).data);
    expect(answer).toMatchObject({ status: 'deployed', amount: String(IDLE_SATS) });
    expect(inclusions()).toHaveLength(sent + 1);
    expect(await idle('sentinel')).toBe(0n);
  });

  it('reports DEPLOYMENT_UNDECIDED while a deployment’s outcome is unknown, and never repeats this deployment', async () => {
    sotto = await restarted(stack, { WAIT_FOR_CONFIRMATION_MS: '1000' });
    await stack.service.ready();
    leaveIdle('delta_neutral');
    const [before, sent] = [await inStrategy('delta_neutral'), inclusions().length];
    stack.chain.control.pause();
    const first = await deploy('delta_neutral');
    expect([first.response.status, first.error?.code]).toEqual([504, 'DEPLOYMENT_UNDECIDED']);
    leaveIdle('delta_neutral', 777n);
    const second = await deploy('delta_neutral');
    expect(second.error?.details).toEqual(first.error?.details);
    expect(stack.chain.waiting(accounts.curator)).toHaveLength(1);

    stack.chain.control.resume();
    const transactionHash = String(first.error?.details?.['transactionHash']);
    await eventually('the first deployment', () => inclusions().length === sent + 1);
    expect(inclusions().at(-1)?.hash).toBe(BigInt(transactionHash));
    expect(await inStrategy('delta_neutral')).toBe(before + IDLE_SATS);
    expect(await idle('delta_neutral')).toBe(777n);

    // Each request waits at most one second for its outcome. So the response may be undecided
    // although the transaction was sent in time.
    await eventually('the rest', async () => {
      await deploy('delta_neutral');
      return (await idle('delta_neutral')) === 0n;
    });
    expect(await inStrategy('delta_neutral')).toBe(before + IDLE_SATS + 777n);
    expect(inclusions()).toHaveLength(sent + 2);
  });

  it('responds with CURATOR_DISABLED if neither a curator account nor an API token is configured', async () => {
    sotto = await restarted(stack, { CURATOR_ACCOUNT: '', CURATOR_API_TOKENS: '' });
    const { error, response } = await deploy('sentinel');
    expect([response.status, error?.code]).toEqual([503, 'CURATOR_DISABLED']);
  });
});
