import type { GetTransferStatus } from '@sotto/bridge-core';
import { STEP_NAMES, type TransferStatus } from '@sotto/bridge-core';
import type { Clock, Logger } from '@sotto/kernel';
import { z } from 'zod';
import { describeRoute, type PartsOf, type Route, type RouteHandler } from '../../define-route.js';
import { ERRORS_OF } from '../../use-case-errors.js';
import { ResponseCache } from '../../response-cache.js';
import { EXAMPLE_TRANSFER_ID } from './examples.js';

const BridgeStep = z
  .object({
    step: z.enum(STEP_NAMES),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    timestamp: z
      .int()
      .nullable()
      .meta({ description: 'Unix time in seconds; null until the step completes.' }),
    tx_hash: z.string().optional().meta({ description: 'Where it is known.' }),
  })
  .meta({ id: 'BridgeStep' });

const BridgeStatus = z
  .object({
    status: z.enum(['processing', 'completed']).meta({
      description:
        'completed: the recipient has the funds. A transfer with a failed step never gets there.',
    }),
    steps: z
      .array(BridgeStep)
      .length(STEP_NAMES.length)
      .meta({ description: 'All steps, in the order in which they run.' }),
    refund: z.enum(['expected', 'refunded']).optional().meta({
      description:
        'Only when a step has failed: the funds go back to the source chain by themselves, within 1 to 24 hours, without the gas.',
    }),
    output_amount: z.string().optional().meta({
      description:
        'What arrived, in whole tokens and in the bridge’s own words; only of a completed transfer, where the bridge reports it.',
      example: '831.2 STRK',
    }),
  })
  .meta({ id: 'BridgeStatus' });

const EXAMPLE_STEPS = [
  { step: 'deposit_detected', status: 'completed', timestamp: 1_792_000_000, tx_hash: '0x9c1f' },
  { step: 'swap_source_token', status: 'completed', timestamp: 1_792_000_020 },
  { step: 'bridge_to_destination', status: 'processing', timestamp: null },
  { step: 'swap_destination_token', status: 'pending', timestamp: null },
  { step: 'send_to_recipient', status: 'pending', timestamp: null },
] as const;

const bridgeStatus = describeRoute({
  method: 'get',
  path: '/api/bridge/status',
  operationId: 'getBridgeStatus',
  summary: 'How far a bridge transfer has come',
  description:
    'A step never goes backwards, and its time never changes once it is reported; an instance may be two seconds behind another. Poll it until `status` is completed or a step has failed.',
  tag: 'bridge',
  limitedAs: 'reads',
  query: z.strictObject({
    transaction_id: z
      .string()
      .min(1)
      .max(256)
      .meta({ description: 'From a quote that was no dry run.', example: EXAMPLE_TRANSFER_ID }),
  }),
  replies: {
    200: {
      description: 'The transfer as it was last seen',
      schema: BridgeStatus,
      examples: {
        processing: {
          summary: 'On its way',
          value: { status: 'processing', steps: EXAMPLE_STEPS },
        },
        failed: {
          summary: 'Failed; the funds are on their way back',
          value: {
            status: 'processing',
            steps: EXAMPLE_STEPS.map((step) =>
              step.status === 'processing' ? { ...step, status: 'failed' } : step,
            ),
            refund: 'expected',
          },
        },
      },
    },
  },
  // A transfer is its owner's affair: no cache between may keep it.
  kept: { cacheControl: 'private, no-cache', freshMs: 1_000, staleMs: 2_000 },
  errors: ERRORS_OF.bridgeStatus,
});

/** `GET /api/bridge/status`. */
export class BridgeStatusRoute implements Route {
  static readonly definition = bridgeStatus;
  readonly definition = bridgeStatus;
  readonly kept: ResponseCache<typeof bridgeStatus, string>;
  readonly handler: RouteHandler;

  constructor(
    private readonly getTransferStatus: GetTransferStatus,
    clock: Clock,
    logger: Logger,
  ) {
    const ask = ({ query }: PartsOf<typeof bridgeStatus>): string => query.transaction_id;
    this.kept = new ResponseCache(
      bridgeStatus,
      { ask, answer: (id) => this.#answer(id) },
      { clock, logger },
    );
    this.handler = this.kept.handler;
  }

  async #answer(transactionId: string): Promise<z.input<typeof BridgeStatus>> {
    return toStatusDto(await this.getTransferStatus.execute({ transactionId }));
  }
}

function toStatusDto({
  status,
  steps,
  refund,
  outputAmount,
}: TransferStatus): z.input<typeof BridgeStatus> {
  return {
    status,
    steps: steps.map((step) => ({
      step: step.step,
      status: step.status,
      timestamp: step.timestampSeconds,
      ...(step.txHash === null ? {} : { tx_hash: step.txHash }),
    })),
    ...(refund === null ? {} : { refund }),
    ...(outputAmount === null ? {} : { output_amount: outputAmount }),
  };
}
