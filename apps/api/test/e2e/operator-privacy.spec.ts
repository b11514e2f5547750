import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type Answer } from '@sotto/process-kit';
import { sandboxWorld } from '@sotto/sandbox';
import {
  ExampleReceiver,
  RECEIVER_CERT,
} from '../../../../packages/adapters/http/test/webhooks/support/example-receiver.js';
import { Reader, sotto } from './support/operator.js';
import { found, spellings } from './support/private-words.js';
import { Stack } from './support/stack.js';
import { good, malleated, vector } from './support/withdrawals.js';

const TOKEN = 'token-of-an-operator';
const as = { authorization: `Bearer ${TOKEN}` };
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const CALLER = {
  'user-agent': 'marker-agent/1.0',
  'x-forwarded-for': '203.0.113.77',
  'sotto-notify': 'shop',
};
const { lane1 } = sandboxWorld.accounts;

/**
 * Spellings of the fee address. The fee address is public, so it may appear in the texts although
 * the calldata also contains it.
 */
const PUBLIC = new Set([vector.relayer].map(BigInt).flatMap(spellings));
const MARKERS = [
  ...[vector.recipient, vector.note.nullifierHash, ...good.calldata, ...malleated.calldata]
    .map(BigInt)
    .flatMap(spellings)
    .filter((marker) => !PUBLIC.has(marker)),
  'marker-',
  '203.0.113.77',
];

/**
 * Collects all texts that operators and webhook receivers can read about a withdrawal which reverts
 * and then succeeds.
 */
describe('texts for operators', () => {
  let receiver: ExampleReceiver;
  let stack: Stack;
  /** Collected texts by the name of their source. */
  const texts = new Map<string, string>();
  let id = '';

  const settled = ({ headers }: Answer, state: string): Promise<unknown> =>
    eventually(`the submission to be ${state}`, async () => {
      const { body } = await stack.service.get(headers.get('location') ?? '');
      return Object(body).state === state;
    });

  beforeAll(async () => {
    receiver = await ExampleReceiver.start([SECRET], { tls: true });
    const shop = {
      url: `https://localhost:${receiver.port}/`,
      secrets: [SECRET],
      events: 'submissions',
    };
    stack = await Stack.start({
      env: {
        OPERATOR_API_TOKENS: JSON.stringify({ default: TOKEN }),
        TRUST_PROXY: '1',
        WEBHOOK_ENDPOINTS: JSON.stringify({ shop }),
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: RECEIVER_CERT,
      },
    });
    await stack.service.ready();
    const environment = { SOTTO_URL: stack.service.url, OPERATOR_API_TOKEN: TOKEN };
    const stream = await Reader.ofEvents(`${stack.service.url}/api/operator/events`, as);
    const followed = Reader.ofCommand(['follow', '--json'], environment);
    await followed.until('following');

    stack.chain.control.revertNext({
      reason: `staged for ${vector.recipient}`,
      sender: lane1.address,
    });
    await settled(await stack.service.withdraw(good, { headers: CALLER }), 'reverted');
    const answer = await stack.service.withdraw(malleated, { headers: CALLER });
    await settled(answer, 'succeeded');
    id = answer.headers.get('location')?.split('/').at(-1) ?? '';

    texts.set('events', await stream.until('"state":"succeeded"'));
    texts.set('sotto follow', await followed.until('"succeeded"'));
    await Promise.all([stream.end(), followed.end()]);
    await eventually('the receiver to hear of both', () =>
      ['reverted', 'succeeded'].every((state) => receiver.lines.join().includes(state)),
    );
    texts.set('webhooks', receiver.lines.join('\n'));

    const search = (text: string): Promise<Answer> =>
      stack.service.post('/api/operator/submissions/search', { text }, as);
    keep('submissions/search', await search(id));
    keep('submissions/search of a nullifier hash', await search(vector.note.nullifierHash));
    for (const path of [
      `submissions/${id}/retry`,
      `submissions/${id}/cancel`,
      'pools/sentinel_1x/pause',
      'pools/sentinel_1x/resume',
    ]) {
      const body = { reason: 'looked at' };
      keep(path, await stack.service.post(`/api/operator/${path}`, body, as));
    }
    for (const path of [
      'status',
      'submissions',
      `submissions/${id}`,
      'submissions.csv',
      'series?window=1h',
      'audit-log',
    ])
      keep(path, await stack.service.get(`/api/operator/${path}`, as));
    for (const command of [
      ['submissions'],
      ['submissions', '--json'],
      ['submissions', '--json', '--search', vector.note.nullifierHash],
      ['lanes', '--json'],
    ])
      texts.set(`sotto ${command.slice(0, 3).join(' ')}`, await sotto(command, environment));
    texts.set('sotto reconcile', await sotto(['reconcile', '--json'], stack.environment));
  });
  afterAll(async () => {
    await stack.stop();
    await receiver.stop();
  });

  function keep(where: string, { text, headers }: Answer): void {
    texts.set(where, `${text} ${JSON.stringify([...headers])}`);
  }

  it('each text for operators contains the withdrawal’s id', () => {
    for (const where of [
      'audit-log',
      'events',
      'sotto follow',
      'sotto submissions --json',
      'sotto submissions --json --search',
      'submissions',
      `submissions/${id}`,
      'submissions.csv',
      'submissions/search',
      'webhooks',
    ])
      expect(`${where}: ${texts.get(where)}`).toContain(id);
    expect(texts.get('submissions/search of a nullifier hash')).toContain(id);
  });

  it('the search for private data finds a private value that the test adds to a text', () => {
    for (const marker of [vector.recipient.toUpperCase(), String(BigInt(vector.recipient))])
      expect(found(`${texts.get('submissions')} ${marker}`, MARKERS)).not.toEqual([]);
  });

  it('texts for operators contain no recipient, calldata, nullifier or caller', () => {
    const leaks = [...texts].flatMap(([where, text]) =>
      found(text, MARKERS).map((marker) => `${where}: ${marker}`),
    );
    expect(leaks).toEqual([]);
  });
});
