import { z } from 'zod';
import type { ControlLanes } from '@sotto/relayer-core';
import {
  describeRoute,
  handlerFor,
  type AnswerOf,
  type InputOf,
  type Route,
} from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { readFelt } from '../../read-felt.js';
import { FeltText, SMALL_BODY_BYTES } from '../../schemas.js';
import { LANE_EXAMPLE, Lane, toLaneDto } from './lane-dto.js';

const LaneName = z.object({
  lane: FeltText.min(1).meta({
    description: 'Address of the account.',
    example: LANE_EXAMPLE.address,
  }),
});

const PauseLaneRequest = z
  .strictObject({
    reason: z.string().trim().min(1).max(200).meta({ description: 'Shown to operators.' }),
  })
  .meta({ id: 'PauseLaneRequest' });

const PAUSED_EXAMPLE = {
  ...LANE_EXAMPLE,
  state: 'paused',
  reason: 'The key is being changed.',
  paused: 'The key is being changed.',
};

const common = {
  tag: 'operator',
  credential: 'operator',
  limitedAs: 'quotes',
  params: LaneName,
  errors: ERRORS_OF.laneControl,
} as const;

const pause = describeRoute({
  ...common,
  method: 'post',
  path: '/api/operator/lanes/:lane/pause',
  operationId: 'pauseLane',
  summary: 'Give an account nothing new any more',
  description:
    'The account takes no call, in no instance and over restarts, until it is resumed. What it has in flight is followed, sent again and settled.',
  body: {
    schema: PauseLaneRequest,
    limitBytes: SMALL_BODY_BYTES,
    examples: {
      change: { summary: 'A change of keys', value: { reason: 'The key is being changed.' } },
    },
  },
  replies: {
    200: {
      description: 'How the account stands now',
      schema: Lane,
      examples: { paused: { summary: 'Paused', value: PAUSED_EXAMPLE } },
    },
  },
});

const resume = describeRoute({
  ...common,
  method: 'post',
  path: '/api/operator/lanes/:lane/resume',
  operationId: 'resumeLane',
  summary: 'Let an account take calls again',
  description:
    'Ends a pause: an operator’s, and one that a transaction has brought that this service did not send. Make sure first that nothing else has the key.',
  replies: {
    200: {
      description: 'How the account stands now',
      schema: Lane,
      examples: { ready: { summary: 'Ready', value: LANE_EXAMPLE } },
    },
  },
});

/** `POST /api/operator/lanes/{lane}/pause`. */
export class PauseLaneRoute implements Route {
  static readonly definition = pause;
  readonly definition = pause;
  readonly handler = handlerFor(pause, (input) => this.#answer(input));

  constructor(private readonly lanes: ControlLanes) {}

  async #answer({ params, body }: InputOf<typeof pause>): Promise<AnswerOf<typeof pause>> {
    return {
      status: 200,
      body: toLaneDto(await this.lanes.pause(readFelt('params.lane', params.lane), body.reason)),
    };
  }
}

/** `POST /api/operator/lanes/{lane}/resume`. */
export class ResumeLaneRoute implements Route {
  static readonly definition = resume;
  readonly definition = resume;
  readonly handler = handlerFor(resume, (input) => this.#answer(input));

  constructor(private readonly lanes: ControlLanes) {}

  async #answer({ params }: InputOf<typeof resume>): Promise<AnswerOf<typeof resume>> {
    return {
      status: 200,
      body: toLaneDto(await this.lanes.resume(readFelt('params.lane', params.lane))),
    };
  }
}
