import { InvalidFelt, toFelt } from '@sotto/kernel';
import { z } from 'zod';
import type { ControlPools } from '@sotto/relayer-core';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { SMALL_BODY_BYTES } from '../../schemas.js';
import {
  OPEN_POOL_EXAMPLE,
  OperatedPool,
  PAUSED_POOL_EXAMPLE,
  toPoolDto,
} from './pool-presentation.js';

const PoolName = z.object({
  pool: z.string().min(1).max(80).meta({
    description: 'Key of the pool in the profile, or its address.',
    example: 'sentinel_1x',
  }),
});

const PauseRequest = z
  .strictObject({
    reason: z.string().trim().min(1).max(200).meta({
      description: 'Shown to the public on `/status` and to each caller that is refused.',
    }),
  })
  .meta({ id: 'PauseRequest' });

const common = {
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: PoolName,
  errors: ERRORS_OF.poolControl,
} as const;

const pause = describeRoute({
  ...common,
  method: 'post',
  path: '/api/operator/pools/:pool/pause',
  operationId: 'pausePool',
  summary: 'Begin nothing in a pool any more',
  description:
    'Withdrawals, swaps, batches and quotes of the pool are refused with `POOL_PAUSED` by every instance, over restarts, until it is resumed. What was accepted before goes on.',
  body: {
    schema: PauseRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      upgrade: {
        summary: 'An upgrade',
        value: { reason: 'The pool’s contract is being upgraded.' },
      },
    },
  },
  replies: {
    200: {
      description: 'How the pool stands now',
      schema: OperatedPool,
      examples: { paused: { summary: 'Paused', value: PAUSED_POOL_EXAMPLE } },
    },
  },
});

const resume = describeRoute({
  ...common,
  method: 'post',
  path: '/api/operator/pools/:pool/resume',
  operationId: 'resumePool',
  summary: 'Let a pool begin again',
  description:
    'Ends the operator’s pause and every run of failures: the count starts again at 0. A pause by PAUSED_POOLS stays, as do budgets: the reply shows the state of the pool.',
  replies: {
    200: {
      description: 'How the pool stands now',
      schema: OperatedPool,
      examples: { open: { summary: 'Open', value: OPEN_POOL_EXAMPLE } },
    },
  },
});

/** `POST /api/operator/pools/{pool}/pause`. */
export class PausePoolRoute implements Route {
  static readonly definition = pause;
  readonly definition = pause;
  readonly handler = handlerFor(pause, (input) => this.#answer(input));

  constructor(private readonly pools: ControlPools) {}

  async #answer({ params, body }: InputOf<typeof pause>): Promise<AnswerOf<typeof pause>> {
    return {
      status: 200,
      body: toPoolDto(await this.pools.pause(nameOf(params.pool), body.reason)),
    };
  }
}

/** `POST /api/operator/pools/{pool}/resume`. */
export class ResumePoolRoute implements Route {
  static readonly definition = resume;
  readonly definition = resume;
  readonly handler = handlerFor(resume, (input) => this.#answer(input));

  constructor(private readonly pools: ControlPools) {}

  async #answer({ params }: InputOf<typeof resume>): Promise<AnswerOf<typeof resume>> {
    return { status: 200, body: toPoolDto(await this.pools.resume(nameOf(params.pool))) };
  }
}

/** An address in canonical form; a key as it is. */
function nameOf(pool: string): string {
  try {
    return toFelt(pool);
  } catch (error) {
    if (error instanceof InvalidFelt) return pool;
    throw error;
  }
}
