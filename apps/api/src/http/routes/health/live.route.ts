import { implement, type Route } from '@sotto/http-server';
import { describeRoute } from '../../define-route.js';
import { z } from 'zod';

const Liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

const live = describeRoute({
  method: 'get',
  path: '/health/live',
  operationId: 'getLiveness',
  summary: 'Whether the process answers at all',
  tag: 'health',
  limitedAs: null,
  replies: {
    200: {
      description: 'It does',
      schema: Liveness,
      examples: { alive: { summary: 'It does', value: { status: 'alive' } } },
    },
  },
  faults: [],
});

/** `GET /health/live`: answers as long as the event loop turns, and asks nothing else. */
export class LiveRoute implements Route {
  static readonly definition = live;
  readonly definition = live;
  readonly serve: Route['serve'] = implement(live, async () => ({
    status: 200 as const,
    body: { status: 'alive' as const },
  })).serve;
}
