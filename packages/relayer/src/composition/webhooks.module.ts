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
  DeliveryStore,
  AlertStore,
} from '@sotto/webhook-core';
import type { Settings } from '../environment/settings.js';
import { alertHolds } from './alert-holds.js';
import { AppModule, assemble } from './container.js';

/**
 * Maximum queue lengths of one endpoint. `undelivered` limits the messages that wait for the
 * receiver; this limit is enough for a few days. `rows` limits the messages that wait until an
 * outcome is final, hours later. This limit is chosen so that the store grows by at most 30 MB.
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

/**
 * While the store is unavailable, this process never resolves an alert. Other instances write the
 * alerts that they observe into the store, so only the store shows that an alert is over.
 */
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
): Omit<DeliveryPorts, 'store'> => ({
  ...ports,
  topics: new TopicStates({ submissions, alerts, clock: ports.clock, mayResolve }, holds),
  random: Math.random,
});

/** Binds notifications to receivers that the operator has registered. */
export const webhooksModule = ({
  webhooks: { endpoints, allowPrivate, resolveAfterMs },
  engine: { instance },
}: Pick<Settings, 'webhooks' | 'engine'>): AppModule =>
  new AppModule(({ bind, provide }) => {
    provide(NotifySubmission, [DeliveryStore], endpoints, BOUNDS);
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
        { ...DELIVERY, store: DeliveryStore, alerts: AlertStore },
        ({ store, memory, ...ports }) => {
          const mayResolve = (): boolean => memory.knowsOthers;
          return new DeliverToEndpoint(
            { ...deliveryOf({ ...ports, mayResolve }, holds), store },
            endpoint,
          );
        },
      );
    for (const endpoint of endpoints.filter(({ events }) => events === 'alerts'))
      assemble(bind(BackgroundTask), DELIVERY, ({ memory, ...ports }) => {
        const { store, alerts } = memory;
        return new DeliverFromMemory(
          memory,
          new DeliverToEndpoint(
            { ...deliveryOf({ ...ports, alerts, mayResolve: never }, holds), store },
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
        alerts: AlertStore,
        store: DeliveryStore,
        memory: AlertMemory,
        logger: Logger,
      },
      endpoints,
      {
        resolveMs: resolveAfterMs,
        instance,
      },
    );
    provide.as(BackgroundTask, ForgetDeliveries, [DeliveryStore, AlertStore]);
  });

/**
 * Returns every reason of the verdict as an alert. For a reason of a pool, the component of the
 * alert is the pool's key. The reason for the end of the process is omitted, and warnings are
 * omitted too.
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
