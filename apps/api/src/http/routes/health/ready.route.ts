import { z } from 'zod';
import type { Readiness } from '@sotto/relayer-core';
import { describeRoute, handlerFor, type AnswerOf, type Route } from '../../define-route.js';

const ReadinessReport = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(
      z.string().meta({
        description:
          'What was checked: store, node, ledger, lanes, verifier, pool_verifiers, running.',
      }),
      z.object({
        ok: z.boolean(),
        code: z.string().nullable().meta({ description: 'Why not; null when it is fine.' }),
      }),
    ),
  })
  .meta({ id: 'Readiness' });

const ready = describeRoute({
  method: 'get',
  path: '/health/ready',
  operationId: 'getReadiness',
  summary: 'Whether withdrawals can be taken now',
  description:
    'The store answers, the node answers with the right chain id, the ledger lacks nothing of its chain, at least one lane can pay, the proof verifier is warm, the pools’ verifiers are those of the profile and of the verification key where these name them, and the service is not stopping.',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'Every check passed',
      schema: ReadinessReport,
      examples: {
        ready: {
          summary: 'Ready',
          value: { status: 'ready', checks: { store: { ok: true, code: null } } },
        },
      },
    },
    503: {
      description: 'At least one check did not',
      schema: ReadinessReport,
      examples: {
        notReady: {
          summary: 'Not ready',
          value: {
            status: 'not_ready',
            checks: { lanes: { ok: false, code: 'LANES_SHORT_OF_FUNDS' } },
          },
        },
      },
    },
  },
  errors: [],
});

/** `GET /health/ready`: whether withdrawals can be taken now. */
export class ReadyRoute implements Route {
  static readonly definition = ready;
  readonly definition = ready;
  readonly handler = handlerFor(ready, () => this.#answer());

  constructor(private readonly readiness: Readiness) {}

  async #answer(): Promise<AnswerOf<typeof ready>> {
    const { ready: isReady, checks } = await this.readiness.report();
    return isReady
      ? { status: 200, body: { status: 'ready', checks } }
      : { status: 503, body: { status: 'not_ready', checks } };
  }
}
