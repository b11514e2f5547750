import { z } from 'zod';
import type { Readiness } from '../../../readiness/readiness.js';
import { defineRoute, type Route } from '../../define-route.js';

const ReadinessReport = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    checks: z.record(
      z.string().meta({ description: 'What was checked: store, node, lanes, verifier, running.' }),
      z.object({ ok: z.boolean(), code: z.string().nullable().meta({ description: 'Why not; null when it is fine.' }) }),
    ),
  })
  .meta({ id: 'Readiness' });

/** `GET /health/ready`: whether withdrawals can be taken now. */
export const readyRoute = (readiness: Pick<Readiness, 'report'>): Route =>
  defineRoute({
    method: 'get',
    path: '/health/ready',
    operationId: 'getReadiness',
    summary: 'Whether withdrawals can be taken now',
    description:
      'The store answers, the node answers with the right chain id, at least one lane can pay, the proof verifier is warm, and the service is not stopping.',
    tag: 'health',
    replies: {
      200: { description: 'Every check passed', schema: ReadinessReport },
      503: { description: 'At least one check did not', schema: ReadinessReport },
    },
    faults: [],
    async handle() {
      const { ready, checks } = await readiness.report();
      return ready
        ? { status: 200, body: { status: 'ready' as const, checks } }
        : { status: 503, body: { status: 'not_ready' as const, checks } };
    },
  });
