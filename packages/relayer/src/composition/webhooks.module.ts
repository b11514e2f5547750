import { HttpsWebhookSender } from '@sotto/adapter-http/webhooks';
import { BackgroundTask, Clock, Logger } from '@sotto/kernel';
import { GetVerdict } from '@sotto/relayer-core';
import { Submissions } from '@sotto/submission-core';
import {
  AlertMemory,
  AlertSource,
  DeliverFromMemory,
  DeliverToEndpoint,
  DeliveryCounters,
  ForgetDeliveries,
  NotifySubmission,
  TopicStates,
  WatchAlerts,
  WebhookSender,
  type AlertHolds,
  type DeliveryPorts,
  type QueueBounds,
  type TopicPorts,
  DeliveryBook,
  AlertBook,
} from '@sotto/webhook-core';
import type { Settings } from '../environment/settings.js';
import { alertHolds } from './alert-holds.js';
import { AppModule, assemble } from './container.js';

/**
 * What waits for a receiver is bounded by days of its messages; what waits for finality, hours
 * later, by the store: 30 MB at most.
 */
const BOUNDS: QueueBounds = { undelivered: 10_000, rows: 100_000 };

const DELIVERY = {
  submissions: Submissions,
  memory: AlertMemory,
  sender: WebhookSender,
  counters: DeliveryCounters,
  clock: Clock,
  logger: Logger,
};

/** What is over is said by the store, where other instances keep what they see. */
const never = (): boolean => false;

type Topics = Pick<TopicPorts, 'submissions' | 'alerts' | 'mayResolve'>;

const deliveryOf = (
  {
    submissions,
    alerts,
    mayResolve,
    ...ports
  }: Topics & Pick<DeliveryPorts, 'sender' | 'counters' | 'clock' | 'logger'>,
  holds: AlertHolds,
): Omit<DeliveryPorts, 'book'> => ({
  ...ports,
  topics: new TopicStates({ submissions, alerts, clock: ports.clock, mayResolve }, holds),
  random: Math.random,
});

/** What receivers that the operator has registered are notified of. */
export const webhooksModule = ({
  webhooks: { endpoints, allowPrivate, resolveAfterMs },
  engine: { instance },
}: Pick<Settings, 'webhooks' | 'engine'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    provide(NotifySubmission, [DeliveryBook], endpoints, BOUNDS);
    if (endpoints.length === 0) return;
    const holds = alertHolds(resolveAfterMs);
    const targets = new Map(
      endpoints.map(({ name, url, secrets: keys }) => [
        name,
        { url: () => new URL(url.reveal()), keys },
      ]),
    );
    bind(WebhookSender).toResolvedValue(
      (clock) => new HttpsWebhookSender({ targets, allowPrivate, clock }),
      [Clock],
    );
    provide(AlertMemory, [Clock], holds);
    for (const endpoint of endpoints)
      assemble(
        bind(BackgroundTask),
        { ...DELIVERY, book: DeliveryBook, alerts: AlertBook },
        ({ book, memory, ...ports }) => {
          const mayResolve = (): boolean => memory.knowsOthers;
          return new DeliverToEndpoint(
            { ...deliveryOf({ ...ports, mayResolve }, holds), book },
            endpoint,
          );
        },
      );
    for (const endpoint of endpoints.filter(({ events }) => events === 'alerts'))
      assemble(bind(BackgroundTask), DELIVERY, ({ memory, ...ports }) => {
        const { book, alerts } = memory;
        return new DeliverFromMemory(
          memory,
          new DeliverToEndpoint(
            { ...deliveryOf({ ...ports, alerts, mayResolve: never }, holds), book },
            endpoint,
          ),
        );
      });
    bind(AlertSource).toResolvedValue(alertsOf, [GetVerdict]);
    provide.as(
      BackgroundTask,
      WatchAlerts,
      {
        source: AlertSource,
        alerts: AlertBook,
        book: DeliveryBook,
        memory: AlertMemory,
        logger: Logger,
      },
      endpoints,
      {
        resolveMs: resolveAfterMs,
        instance,
      },
    );
    provide.as(BackgroundTask, ForgetDeliveries, [DeliveryBook, AlertBook]);
  });

/**
 * Every reason of the verdict, one of a pool with the pool's key as its component; but for the end
 * of the process, and what blocks nothing.
 */
export const alertsOf = (verdict: Pick<GetVerdict, 'execute'>): AlertSource => ({
  async alerts() {
    const { reasons, pools } = await verdict.execute();
    return [
      ...reasons.flatMap(({ code, component }) =>
        code === 'STOPPING' ? [] : [{ code, component }],
      ),
      ...pools.flatMap(({ key, reasons: own }) =>
        own.map(({ code }) => ({ code, component: key })),
      ),
    ];
  },
});
