import { beforeEach, describe, expect, it } from '@jest/globals';
import { ROUTES, type RouteDefinition } from '@sotto/routes';
import { WebhookQueueFull, WebhookUnknown } from '@sotto/webhook-core';
import request, { type Response } from 'supertest';
import { SUBMISSION_ID } from './answers-fixture.js';
import { answeringApp } from './call-route.js';
import type { TestApp } from './test-app.js';

const definitions: readonly RouteDefinition[] = ROUTES;
const routes = definitions.filter(
  (route) => route.headers !== undefined && 'sotto-notify' in route.headers.shape,
);

describe('Sotto-Notify', () => {
  let test: TestApp;
  beforeEach(async () => {
    test = await answeringApp();
  });

  const send = ({ path, body }: RouteDefinition, name: string, query = ''): PromiseLike<Response> =>
    request(test.app)
      .post(`${path}${query}`)
      .set('Sotto-Notify', name)
      .send(Object(Object.values(body?.examples ?? {})[0]?.value));
  const requested = (): number => {
    const { submitted, dryRuns, swaps, swapDryRuns, deposits, batches } = test.useCases;
    const { privateActions } = test.useCases;
    const { submitted: actions, dryRuns: actionDryRuns } = privateActions;
    return [
      submitted,
      dryRuns,
      swaps,
      swapDryRuns,
      deposits,
      batches,
      actions,
      actionDryRuns,
    ].flat().length;
  };

  it('every request that puts a transaction on chain accepts the header Sotto-Notify', () => {
    expect(routes.map(({ path }) => path)).toEqual([
      '/api/relayer/withdraw',
      '/api/relayer/private-swap',
      '/api/relayer/deposit',
      '/api/relayer/deploy-batch',
      '/api/relayer/private-action',
    ]);
  });

  it.each(routes)(
    'Sotto-Notify contains the name of the endpoint that is notified of the submission: $path',
    async (route) => {
      expect((await send(route, 'shop')).status).toBe(200);
      expect(test.useCases.notified).toEqual([[SUBMISSION_ID, 'shop']]);
    },
  );

  it.each(routes)(
    'an unknown endpoint name in Sotto-Notify is rejected before a submission begins: $path',
    async (route) => {
      test.useCases.checkNotified = async () => {
        throw new WebhookUnknown();
      };
      const { status, body } = await send(route, 'nowhere');
      expect([status, body.code]).toEqual([400, 'WEBHOOK_UNKNOWN']);
      expect(test.useCases.notified).toEqual([]);
    },
  );

  it.each(routes)(
    'the response to a request without a proof does not reveal if an endpoint name exists: $path',
    async (route) => {
      const names: string[] = [];
      test.useCases.isBegun = false;
      test.useCases.checkNotified = async (name) => {
        names.push(name);
        if (!names.includes('nowhere')) return;
        throw new WebhookUnknown();
      };
      const isProven = /withdraw|swap/.test(route.path);
      const codes = [];
      for (const name of ['shop', 'nowhere']) codes.push((await send(route, name)).body.code);
      expect(codes).toEqual(
        isProven ? [undefined, 'WEBHOOK_UNKNOWN'] : ['WEBHOOK_LIST_FULL', 'WEBHOOK_LIST_FULL'],
      );
    },
  );

  it('a dry run also checks the endpoint name in Sotto-Notify if all other checks pass', async () => {
    test.useCases.checkNotified = async () => {
      throw new WebhookUnknown();
    };
    for (const route of routes.filter(({ query }) => query !== undefined)) {
      test.useCases.report = { admissible: true, checks: [] };
      const { body } = await send(route, 'nowhere', '?dryRun=true');
      expect(body.code).toBe('WEBHOOK_UNKNOWN');
      test.useCases.report = { admissible: false, checks: [] };
      expect((await send(route, 'nowhere', '?dryRun=true')).status).toBe(200);
    }
  });

  it('a request is rejected before a submission begins while the queue of its webhook endpoint is full', async () => {
    test.useCases.checkNotified = async () => {
      throw new WebhookQueueFull({ retryAfterSeconds: 60 });
    };
    const [route] = routes;
    if (route === undefined) throw new Error('no route accepts it');
    const { status, body, headers } = await send(route, 'shop');
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'WEBHOOK_QUEUE_FULL', '60']);
    expect(test.useCases.notified).toEqual([]);
  });

  it.each(['https://evil.example/', 'a b', 'Shop', `a${'b'.repeat(40)}`])(
    'rejects a header Sotto-Notify that is not a valid name: %s',
    async (name) => {
      const [route] = routes;
      if (route === undefined) throw new Error('no route accepts it');
      const { status, body } = await send(route, name);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(requested()).toBe(0);
    },
  );

  it('a dry run with the header Sotto-Notify registers no notification', async () => {
    for (const route of routes.filter(({ query }) => query !== undefined))
      expect((await send(route, 'shop', '?dryRun=true')).status).toBe(200);
    expect(test.useCases.notified).toEqual([]);
  });
});
