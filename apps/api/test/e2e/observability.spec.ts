import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { type Answer, eventually, keyed, type Variables } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import { Scrape } from './support/metrics.js';
import { found, spellings } from './support/private-words.js';
import { Stack, type StackOptions } from './support/stack.js';
import { good, vector } from './support/withdrawals.js';

const { lane1, lane2 } = sandboxWorld.accounts;
const STRK = 10n ** 18n;
const TOKEN = 'marker-token-of-the-operator';
const CALLER_IP = '203.0.113.77';
const caller = {
  headers: {
    'x-forwarded-for': CALLER_IP,
    'user-agent': 'marker-agent/1.0',
    'x-request-id': 'marker-request',
  },
};
/** STRK balance that is too low for a withdrawal but sufficient for a no-op. */
const POOR_STRK = 10n;

/** Returns all texts of the vector's withdrawal that only its caller may know. */
function privateWords({ headers, body }: Answer): readonly string[] {
  const { nullifierHash, commitment, nullifier, secret } = vector.note;
  const known = new Set(spellings(BigInt(vector.relayer)));
  const words = [
    vector.recipient,
    nullifierHash,
    commitment,
    nullifier,
    secret,
    ...good.calldata,
  ].flatMap((word) => spellings(BigInt(word)));
  const id = headers.get('location')?.split('/').at(-1) ?? '';
  const hash = String(Object(body).transaction_hash).replace('0x', '');
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(hash.length).toBeGreaterThan(50);
  const keys = [lane1, lane2].flatMap(({ privateKey }) => spellings(privateKey));
  return [
    ...new Set([
      ...words.filter((word) => !known.has(word)),
      ...keys,
      id,
      hash,
      CALLER_IP,
      'marker-',
    ]),
  ];
}

describe('the operator’s metrics and traces', () => {
  let stack: Stack;
  let collector: Server | null = null;
  afterEach(async () => {
    await stack.stop();
    collector?.closeAllConnections();
    collector?.close();
    collector = null;
  });

  async function start({
    env = {},
    ...options
  }: Pick<StackOptions, 'cadence'> & { readonly env?: Variables } = {}): Promise<void> {
    const variables = {
      METRICS_PORT: '0',
      TRUST_PROXY: '1',
      OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
      RELAY_ACCOUNTS: JSON.stringify([lane1, lane2].map(keyed)),
    };
    stack = await Stack.start({ ...options, env: { ...variables, ...env } });
    await stack.service.ready();
  }
  const scrape = (): Promise<Scrape> => Scrape.of(stack.service);
  const settled = ({ headers }: Answer): Promise<boolean> =>
    eventually('the withdrawal to be final', async () => {
      const { body } = await stack.service.get(headers.get('location') ?? '', caller.headers);
      return Object(body).state === 'succeeded';
    });
  const control = (what: string, body: object): Promise<Answer> =>
    stack.service.post(`/api/operator/pools/sentinel_1x/${what}`, body, {
      authorization: `Bearer ${TOKEN}`,
    });

  it('a withdrawal changes the metrics, and the metrics reveal no details of the withdrawal', async () => {
    await start();
    const before = await eventually('both accounts to be polled', async () => {
      const seen = await scrape();
      return seen.value('sotto_lanes', { role: 'relay', state: 'ready' }) === 2 && seen;
    });
    expect(before.value('sotto_lane_balance_strk', { role: 'relay', index: '0' })).toBe(1_000);
    expect(before.value('sotto_lane_balance_strk', { role: 'relay', index: '1' })).toBe(1_000);
    expect(before.value('sotto_submission_seconds_count', { state: 'succeeded' })).toBeUndefined();

    const answer = await stack.service.withdraw(good, caller);
    expect(answer.body).toMatchObject({ execution_status: 'SUCCEEDED' });
    await settled(answer);
    const after = await eventually('the payment to be seen', async () => {
      const seen = await scrape();
      return seen.sum('sotto_lane_balance_strk') < 2_000 && seen;
    });
    expect(after.value('sotto_submission_seconds_count', { state: 'succeeded' })).toBe(1);
    const request = { method: 'POST', route: '/api/relayer/withdraw', status: '200' };
    expect(after.value('sotto_http_request_seconds_count', request)).toBe(1);
    expect(after.value('sotto_ledger_events_total', { event: 'settle', result: 'applied' })).toBe(
      1,
    );
    expect(
      after.value('sotto_port_call_seconds_count', {
        port: 'proof_verifier',
        method: 'holds',
        outcome: 'ok',
      }),
    ).toBeGreaterThan(0);
    expect(after.value('sotto_lanes', { role: 'relay', state: 'short_of_funds' })).toBe(0);
    expect(after.value('sotto_queue_length', { role: 'relay' })).toBe(0);
    expect(after.value('sotto_stuck_nonces')).toBe(0);
    expect(after.value('sotto_chain_look_age_seconds')).toBeLessThan(60);
    expect(after.value('sotto_admissions', { state: 'running' })).toBe(0);
    expect(after.value('sotto_admissions', { state: 'waiting' })).toBe(0);
    expect(after.value('sotto_turned_away_total', { by: 'requests' })).toBe(0);
    expect(after.value('sotto_paused_pools', { kind: 'withdrawals', cause: 'operator' })).toBe(0);
    expect(after.value('nodejs_eventloop_lag_seconds')).toBeGreaterThanOrEqual(0);

    const addresses = [lane1, lane2].map(({ address }) => toFelt(address).slice(2));
    const words = [...privateWords(answer), ...addresses];
    expect(found(after.text, words)).toEqual([]);
    expect(found(`${after.text} ${toFelt(BigInt(vector.recipient))}`, words)).not.toEqual([]);
  });

  it('the metrics report submissions that are in flight, waiting or stuck, and ended submissions', async () => {
    await start({
      cadence: 'manual',
      env: {
        RELAY_ACCOUNTS: JSON.stringify([keyed(lane1)]),
        MAX_IN_FLIGHT_PER_LANE: '1',
        ATTENTION_AFTER_MS: '1500',
      },
    });
    const answering = stack.service.withdraw(good, caller);
    const stuck = await eventually('the nonce to be stuck', async () => {
      const seen = await scrape();
      return seen.value('sotto_stuck_nonces') === 1 && seen;
    });
    expect(stuck.value('sotto_requests_in_flight')).toBe(1);
    expect(stuck.value('sotto_clients_in_flight')).toBe(1);
    expect(stuck.value('sotto_lanes', { role: 'relay', state: 'full' })).toBe(1);
    stack.chain.control.mine();
    expect((await answering).body).toMatchObject({ execution_status: 'SUCCEEDED' });
    const calm = await eventually('nothing to be stuck', async () => {
      const seen = await scrape();
      return seen.value('sotto_stuck_nonces') === 0 && seen;
    });
    expect(calm.value('sotto_requests_in_flight')).toBe(0);
  });

  it('the metrics report the keeper’s actions, its reasons for skips, and its remaining budgets', async () => {
    await start({
      env: {
        KEEPER_TASKS: 'batches',
        KEEPER_INTERVAL_MS: '200',
        KEEPER_GAS_PER_HOUR_FRI: `${7n * STRK}`,
      },
    });
    const seen = await eventually('the keeper to have polled', async () => {
      const scraped = await scrape();
      const looks = scraped.value('sotto_keeper_looks_total', {
        task: 'batches',
        outcome: 'WAITING_FOR_CROWD',
      });
      return (looks ?? 0) > 0 && scraped;
    });
    const waiting = { task: 'batches', outcome: 'WAITING_FOR_CROWD' };
    expect(seen.value('sotto_keeper_subjects', waiting)).toBeGreaterThan(0);
    expect(seen.sum('sotto_keeper_subjects')).toBe(seen.value('sotto_keeper_subjects', waiting));
    // The metrics include only tasks that are enabled.
    const left = await eventually('the price of gas to be known', async () => {
      // A scrape does not query the node, but uses the last gas price that was read.
      await stack.service.get('/api/keeper/status');
      const scraped = await scrape();
      const hour = { task: 'batches', window: 'hour' };
      return scraped.value('sotto_keeper_budget_left_strk', hour) !== undefined && scraped;
    });
    expect(left.value('sotto_keeper_budget_left_strk', { task: 'batches', window: 'hour' })).toBe(
      7,
    );
    expect(left.value('sotto_keeper_budget_left_strk', { task: 'curator', window: 'hour' })).toBe(
      undefined,
    );
  });

  it('the metrics report accounts that cannot pay for a withdrawal, even if no withdrawal waits', async () => {
    await start();
    stack.chain.control.mint(lane2.address, (POOR_STRK - 1_000n) * STRK);
    stack.chain.control.mine();
    const poor = await eventually('the poor account to be seen', async () => {
      const seen = await scrape();
      return seen.value('sotto_lanes', { role: 'relay', state: 'short_of_funds' }) === 1 && seen;
    });
    expect(poor.value('sotto_lanes', { role: 'relay', state: 'ready' })).toBe(1);
    expect(poor.value('sotto_lane_balance_strk', { role: 'relay', index: '1' })).toBe(
      Number(POOR_STRK),
    );

    expect((await control('pause', { reason: 'marker-reason' })).status).toBe(200);
    const paused = await scrape();
    expect(paused.value('sotto_paused_pools', { kind: 'withdrawals', cause: 'operator' })).toBe(1);
    expect(paused.value('sotto_paused_pools', { kind: 'batches', cause: 'operator' })).toBe(1);
    expect(paused.sum('sotto_paused_pools')).toBe(2);
    expect(paused.text).not.toContain('marker-');
    const listed = await eventually('the list of pools to show it', async () => {
      const { body } = await stack.service.get('/api/relayer/pools');
      const [pool] = Object(body).pools;
      return pool.accepting === false && pool;
    });
    expect(listed).toMatchObject({
      key: 'sentinel_1x',
      pausedFor: 'operator',
      reason: 'marker-reason',
    });
  });

  /** Starts a collector that concatenates all received spans in one text. */
  async function aCollector(): Promise<{ readonly url: string; readonly received: () => string }> {
    const bodies: string[] = [];
    collector = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => void chunks.push(chunk));
      request.on('end', () => {
        bodies.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`);
        response.writeHead(200).end();
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const address = collector.address();
    if (address === null || typeof address === 'string')
      throw new Error('the collector has no port');
    return { url: `http://127.0.0.1:${address.port}`, received: () => bodies.join('\n') };
  }

  async function tracedWithdrawal(env: Variables): Promise<Answer> {
    await start({
      env: { OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_SERVICE_NAME: 'sotto-traced', ...env },
    });
    const answer = await stack.service.withdraw(good, caller);
    await settled(answer);
    stack.service.kill('SIGTERM');
    expect(await stack.service.ended).toEqual({ code: 0, signal: null });
    return answer;
  }

  it('a withdrawal is traced if the standard OpenTelemetry variables enable tracing, and the trace reveals no details of the withdrawal', async () => {
    const { url, received } = await aCollector();
    const answer = await tracedWithdrawal({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
    const names = [
      'POST /api/relayer/withdraw',
      'proof_verifier.holds',
      'broadcaster.send',
      'ledger.apply',
    ];
    // A span contains the pattern of a path instead of the path, because the path contains the
    // submission's id.
    for (const name of ['/v1/traces', 'sotto-traced', 'GET /api/relayer/submissions/:id', ...names])
      expect(received()).toContain(name);
    const words = privateWords(answer);
    expect(found(received(), words)).toEqual([]);
    expect(found(`${received()} ${answer.headers.get('location')}`, words)).not.toEqual([]);
  });

  it('a withdrawal is not traced if the standard OpenTelemetry variables disable tracing', async () => {
    const { url, received } = await aCollector();
    await tracedWithdrawal({ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' });
    expect(received()).toBe('');
  });
});
