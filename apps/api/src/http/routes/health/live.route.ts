import { z } from 'zod';
import { describeRoute, handlerFor, type Route } from '../../define-route.js';

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
  errors: [],
});

/** `GET /health/live`: answers as long as the event loop turns, and asks nothing else. */
export class LiveRoute implements Route {
  static readonly definition = live;
  readonly definition = live;
  readonly handler = handlerFor(live, async () => ({
    status: 200 as const,
    body: { status: 'alive' as const },
  }));
}
