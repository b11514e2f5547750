import { z } from 'zod';
import { defineRoute, type Route } from '../../define-route.js';

const Liveness = z.object({ status: z.literal('alive') }).meta({ id: 'Liveness' });

/** `GET /health/live`: answers as long as the event loop turns, and asks nothing else. */
export const liveRoute = (): Route =>
  defineRoute({
    method: 'get',
    path: '/health/live',
    operationId: 'getLiveness',
    summary: 'Whether the process answers at all',
    tag: 'health',
    replies: { 200: { description: 'It does', schema: Liveness } },
    faults: [],
    handle: async () => ({ status: 200, body: { status: 'alive' as const } }),
  });
