import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually, type Answer } from '@sotto/process-kit';
import {
  ExampleReceiver,
  RECEIVER_CERT,
} from '../../../../packages/adapters/http/test/webhooks/support/example-receiver.js';
import { found, spellings } from './support/private-words.js';
import { Stack } from './support/stack.js';
import { good, vector } from './support/withdrawals.js';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const NOTIFY = { headers: { 'sotto-notify': 'shop' } };

const idOf = ({ headers }: Answer): string => headers.get('location')?.split('/').at(-1) ?? '';

describe('webhooks', () => {
  let receiver: ExampleReceiver;
  let stack: Stack;
  afterEach(async () => {
    await stack.stop();
    await receiver.stop();
  });

  const start = async (): Promise<void> => {
    receiver = await ExampleReceiver.start([SECRET], { tls: true });
    const shop = {
      url: `https://localhost:${receiver.port}/`,
      secrets: [SECRET],
      events: 'submissions',
    };
    stack = await Stack.start({
      env: {
        WEBHOOK_ENDPOINTS: JSON.stringify({ shop }),
        WEBHOOK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: RECEIVER_CERT,
        LOG_LEVEL: 'debug',
      },
    });
    await stack.service.ready();
  };
  const settled = (answer: Answer): Promise<unknown> =>
    eventually('the submission to have succeeded', async () => {
      const { body } = await stack.service.get(answer.headers.get('location') ?? '');
      return Object(body).state === 'succeeded';
    });

  it('a withdrawal’s webhook arrives without private fields at the endpoint that the request named', async () => {
    await start();
    const answer = await stack.service.withdraw(good, NOTIFY);
    const event = await eventually('the receiver to get the success', async () =>
      receiver.events.find((each) => Object(each).state === 'succeeded'),
    );
    expect(event).toEqual({
      id: idOf(answer),
      state: 'succeeded',
      hash: Object(answer.body).transaction_hash,
    });
    const states = receiver.events.map((each) => String(Object(each).state));
    expect(new Set(states).size).toBe(states.length);
    for (const each of receiver.events)
      expect(Object.keys(Object(each)).toSorted()).toEqual(['hash', 'id', 'state']);
    const markers = [vector.recipient, vector.note.nullifierHash, ...good.calldata]
      .map(BigInt)
      .flatMap(spellings);
    expect(found(receiver.lines.join('\n'), markers)).toEqual([]);
    // The log contains the name of the endpoint, but not the receiver's address or secret.
    await eventually('the log to name the endpoint', () =>
      stack.service.output.includes('"endpoint":"shop"'),
    );
    expect(found(stack.service.output, ['whsec_', `localhost:${receiver.port}`])).toEqual([]);
  });

  it('rejects a withdrawal with an unregistered webhook endpoint before the note is spent', async () => {
    await start();
    const { status, body } = await stack.service.withdraw(good, {
      headers: { 'sotto-notify': 'other' },
    });
    expect([status, Object(body).code]).toEqual([400, 'WEBHOOK_UNKNOWN']);
    expect(await stack.chain.isSpent()).toBe(false);
  });

  it('an invalid request gets the same error with a registered and with an unregistered webhook endpoint', async () => {
    await start();
    // The root differs from the proof's root, so the pairing check fails.
    const [first = '', ...others] = good.calldata;
    const junk = { ...good, calldata: [first, ...others.with(3, others[5] ?? '')] };
    const bodies = [
      { poolAddress: 'no felt', calldata: [] },
      { ...good, calldata: [] },
      { ...good, poolAddress: '0x1' },
      junk,
    ];
    for (const body of bodies) {
      const answers = [];
      for (const name of ['shop', 'other']) {
        const answer = await stack.service.withdraw(body, { headers: { 'sotto-notify': name } });
        answers.push([answer.status, Object(answer.body).code]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]).not.toContain('WEBHOOK_UNKNOWN');
    }
  });

  it('O11: a webhook whose receiver was down arrives without delay after a restart of the service', async () => {
    await start();
    const { port } = receiver;
    await receiver.stop();
    const answer = await stack.service.withdraw(good, NOTIFY);
    await settled(answer);
    stack.service.kill('SIGKILL');
    await stack.service.ended;
    receiver = await ExampleReceiver.start([SECRET], { tls: true, port });
    await stack.serve().listening();
    const event = await eventually('the receiver to get it', async () => receiver.events.at(0));
    expect(event).toEqual({
      id: idOf(answer),
      // The webhook contains the newest state of the submission. The block may already be final at
      // that time.
      state: expect.stringMatching(/^(final_)?succeeded$/),
      hash: Object(answer.body).transaction_hash,
    });
  });
});
