import { expect } from '@jest/globals';
import request, { type Response } from 'supertest';
import type { TestApp } from './test-app.js';

/** Key of a sponsor, which no log line and no response may contain. */
export const API_KEY = 'marker-key-of-the-sponsor';

/** Selector of `apply_actions`. */
export const APPLY_ACTIONS = '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db';

const PARAMETERS = { version: '0x1', fee_mode: { mode: 'default', gas_token: '0x8001' } };

/** Returns a request object of JSON-RPC 2.0. */
export const rpc = <P extends object>(method: string, params?: P) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});

/** Returns a request that builds a transaction. @param parameters changes of the parameters */
export const builds = (parameters: object = {}, pool: unknown = '0xaa1') =>
  rpc('paymaster_buildTransaction', {
    transaction: { type: 'apply_action', apply_action: { pool_address: pool } },
    parameters: { ...PARAMETERS, ...parameters },
  });

/** Returns a request that executes a transaction. @param action changes of the action */
export const executes = (action: object = {}, parameters: object = {}) =>
  rpc('paymaster_executeTransaction', {
    transaction: {
      type: 'apply_action',
      apply_action: {
        apply_actions_call: { to: '0xaa1', selector: APPLY_ACTIONS, calldata: ['0x1', '0xABC'] },
        proof: 'c3R3bw==',
        proof_facts: ['0x2', '0x0'],
        ...action,
      },
    },
    parameters: { ...PARAMETERS, ...parameters },
  });

export const trackingOf = (trackingId: string) =>
  rpc('paymaster_trackingIdToLatestHash', { tracking_id: trackingId });

/** Sends a body to the paymaster. */
export const post = (
  { app }: TestApp,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): PromiseLike<Response> => request(app).post('/paymaster').set(headers).send(body);

/** Returns the result, or the code and the data of the error. */
export async function answerOf(test: TestApp, body: object): Promise<unknown> {
  const { status, body: answer } = await post(test, body);
  expect([status, answer.jsonrpc, answer.id]).toEqual([200, '2.0', 1]);
  return answer.error === undefined ? answer.result : [answer.error.code, answer.error.data];
}
