import * as z from 'zod';
import { CODES_OF } from '@sotto/facts';
import { describeRoute, type Example } from '../definition.js';
import {
  EXAMPLE_ACTIONS,
  EXAMPLE_PRIVACY_POOL,
  EXAMPLE_PROOF_FACTS,
  PRIVATE_ACTION_BODY_BYTES,
  SponsorHeader,
} from '../schemas.js';
import { PAYMASTER_METHOD_NAMES } from './methods.js';

const RequestId = z.union([z.string().max(128), z.number(), z.null()]);

const RpcRequest = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: RequestId.meta({
      description: 'Repeated in the response.',
    }),
    method: z.enum(PAYMASTER_METHOD_NAMES),
    params: z.record(z.string(), z.unknown()).optional().meta({
      description: 'Parameters by name; docs/api/private-actions.md has those of each method.',
    }),
  })
  .meta({ id: 'PaymasterRequest' });

const RpcResponse = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: RequestId.meta({ description: 'Id of the request; null if it is not known.' }),
    result: z
      .unknown()
      .optional()
      .meta({ description: 'Result of the method; absent if it failed.' }),
    error: z
      .object({
        code: z.int().meta({
          description:
            'Code of JSON-RPC 2.0 or SNIP-29; docs/api/private-actions.md has all of them.',
        }),
        message: z.string(),
        data: z.unknown().optional().meta({
          description:
            'Text that begins with the stable code of docs/reference/errors.md, if the error has one. With code 156, an object with this text as `execution_error`.',
        }),
      })
      .optional(),
  })
  .meta({ id: 'PaymasterResponse' });

const TOKEN = '0x4718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d';
const PARAMETERS = { version: '0x1', fee_mode: { mode: 'default', gas_token: TOKEN } };
const request = (summary: string, method: string, params: object = {}): Example => ({
  summary,
  value: { jsonrpc: '2.0', id: 1, method, params },
});
const failure = (summary: string, code: number, message: string, data: string): Example => ({
  summary,
  value: { jsonrpc: '2.0', id: null, error: { code, message, data } },
});
const UNKNOWN = 'An error occurred (UNKNOWN_ERROR)';
const RETRY_AFTER = { 'Retry-After': 'Seconds until the request may be sent again.' };

export const paymaster = describeRoute({
  method: 'post',
  path: '/paymaster',
  operationId: 'callPaymaster',
  summary: 'Paymaster of private actions for wallets (SNIP-29, JSON-RPC 2.0)',
  description: [
    'Serves transactions of the types `apply_action`, proven actions of the privacy pool, and `invoke_and_apply_action`, with calls of the user’s account before them. A wallet builds a transaction to learn the fee, adds the fee as its last withdrawal, has the whole proven, and executes it. `POST /api/relayer/private-action` serves the same actions.',
    'Each request contains one request object; batches are rejected. A request without an id is not executed and gets 204. Parameters are named. Felts are 0x hex without leading zeros.',
    'Failures are error objects with status 200, except a body that is too large and limits.',
  ].join('\n\n'),
  tag: 'relayer',
  limitedAs: 'submissions',
  body: {
    schema: RpcRequest,
    limitBytes: PRIVATE_ACTION_BODY_BYTES,
    isLarge: true,
    examples: {
      isAvailable: request('Availability', 'paymaster_isAvailable'),
      buildTransaction: request('Fee of a transaction', 'paymaster_buildTransaction', {
        transaction: { type: 'apply_action', apply_action: { pool_address: EXAMPLE_PRIVACY_POOL } },
        parameters: PARAMETERS,
      }),
      executeTransaction: request(
        'Execution (all lists shortened)',
        'paymaster_executeTransaction',
        {
          transaction: {
            type: 'apply_action',
            apply_action: {
              apply_actions_call: {
                to: EXAMPLE_PRIVACY_POOL,
                selector: '0x246333a752c1ac637ff1591c5c885e27d56060d241a29aad8475072da0777db',
                calldata: EXAMPLE_ACTIONS,
              },
              proof: 'c3R3bw==',
              proof_facts: EXAMPLE_PROOF_FACTS,
            },
          },
          parameters: PARAMETERS,
        },
      ),
    },
  },
  headers: SponsorHeader,
  replies: {
    200: {
      description: 'The result or the error of the method',
      schema: RpcResponse,
      examples: {
        available: {
          summary: 'Available',
          value: { jsonrpc: '2.0', id: 1, result: true },
        },
        poolNotServed: failure(
          'The pool is not served',
          161,
          'An error occurred (PRIVACY_POOL_NOT_WHITELISTED)',
          'POOL_NOT_SUPPORTED: This relayer does not serve that pool.',
        ),
      },
    },
    413: {
      description: 'The body is too large; it was not parsed',
      schema: RpcResponse,
      examples: {
        tooLarge: failure(
          'A body above the limit',
          -32_600,
          'Invalid Request',
          'BODY_TOO_LARGE: The body is larger than this route accepts.',
        ),
      },
    },
    429: {
      description: 'The caller has used up a limit',
      schema: RpcResponse,
      headers: RETRY_AFTER,
      examples: {
        rateLimited: failure(
          'Too many requests',
          163,
          UNKNOWN,
          'RATE_LIMITED: Your address has used up its requests of this minute.',
        ),
      },
    },
    503: {
      description: 'The service is overloaded',
      schema: RpcResponse,
      headers: RETRY_AFTER,
      examples: {
        overloaded: failure(
          'Too much work in progress',
          163,
          UNKNOWN,
          'OVERLOADED: The service’s work in progress has reached its limit.',
        ),
      },
    },
  },
  errors: ['QUEUE_FULL'],
  rpc: {
    errors: [...CODES_OF.privateAction, ...CODES_OF.privateActionQuote, ...CODES_OF.submission],
  },
});
