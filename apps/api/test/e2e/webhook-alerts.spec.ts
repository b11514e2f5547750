import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@sotto/process-kit';
import { PostgresServer, findPostgres } from '@sotto/test-postgres';
import { SigningKey, signatureHeaders } from '@sotto/webhook-core';
import {
  receiver,
  type Receiver,
} from '../../../../packages/adapters/http/test/webhooks/support/receiver.js';
import { Stack } from './support/stack.js';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const KEYS = [SigningKey.parse(SECRET)].filter((key) => key !== null);

interface Arrival {
  readonly id: string;
  readonly isSigned: boolean;
  readonly code: string;
  readonly component: string;
  readonly state: string;
}

const found = findPostgres();
const title = 'alerts of an unavailable store';

(found.kind === 'found' ? describe : describe.skip)(
  found.kind === 'found' ? title : `${title} [skipped: ${found.reason}]`,
  () => {
    const arrivals: Arrival[] = [];
    let server: PostgresServer;
    let pager: Receiver;
    let stack: Stack;
    beforeEach(async () => {
      if (found.kind === 'missing') throw new Error(found.reason);
      arrivals.length = 0;
      pager = await receiver((request, response) => {
        void take(request).finally(() => response.writeHead(204).end());
      });
      server = await PostgresServer.start(found);
      stack = await Stack.start({
        env: {
          DATABASE_PATH: '',
          DATABASE_URL: await server.createDatabase(),
          WEBHOOK_ENDPOINTS: JSON.stringify({
            pager: {
              url: `http://127.0.0.1:${pager.port}/`,
              secrets: [SECRET],
              events: 'alerts',
            },
          }),
          WEBHOOK_ALLOW_PRIVATE: 'true',
          WEBHOOK_RESOLVE_AFTER_MS: '10000',
        },
      });
      await stack.service.ready();
    });
    afterEach(async () => {
      await stack.stop();
      await server.stop();
      await pager.stop();
    });

    const take = async (request: IncomingMessage): Promise<void> => {
      const body = await text(request);
      const { code, component, state } = Object(JSON.parse(body));
      const id = String(request.headers['webhook-id']);
      const atMs = Number(request.headers['webhook-timestamp']) * 1_000;
      const expected = signatureHeaders(KEYS, { id, body }, atMs);
      const isSigned = request.headers['webhook-signature'] === expected['webhook-signature'];
      arrivals.push({ id, isSigned, code, component, state });
    };
    const ofStore = (state: string): readonly Arrival[] =>
      arrivals.filter((one) => one.code.startsWith('STORE_') && one.state === state);

    it('a webhook alert about the ledger’s database arrives while the database is down', async () => {
      await server.crash();
      const raised = await eventually('an alert of the store to arrive', () => {
        const seen = ofStore('raised');
        return seen.length > 0 && seen;
      });
      expect(raised.every(({ isSigned }) => isSigned)).toBe(true);
      await server.startAgain();
      await stack.service.ready();
      await eventually('every alert of the store to be resolved', () => {
        const over = ofStore('resolved').map(({ code, component }) => `${code} ${component}`);
        return ofStore('raised').every(({ code, component }) =>
          over.includes(`${code} ${component}`),
        );
      });
      const ids = arrivals.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(arrivals.every(({ isSigned }) => isSigned)).toBe(true);
      // Each alert has one stored row, although the alert was first raised before a store was
      // available. The row's sequence numbers continue: 1 when the alert is raised, 2 when it is
      // resolved.
      for (const { id, code, component } of ofStore('raised')) {
        const [row = ''] = id.split('.');
        const resolved = ofStore('resolved').find(
          (one) => one.code === code && one.component === component,
        );
        expect([id, resolved?.id]).toEqual([`${row}.1`, `${row}.2`]);
      }
    });
  },
);
