import type { OpenedStore } from '@sotto/adapter-store';
import type { ObservedMethods, PortObserver } from '@sotto/telemetry';

/** What a store is called in metrics and traces, and its calls, all of which are observed. */
export const STORE_PORTS = {
  ledger: [
    'apply',
    'attemptById',
    'attemptWithTransactions',
    'lastAttempt',
    'attempt',
    'waiting',
    'countWaiting',
    'openNonces',
    'unfinalNonces',
    'finalNonces',
    'transactionsOf',
    'inclusionOf',
    'calldata',
    'signedParts',
    'state',
    'bindChain',
    'noteBlock',
    'clearPossibleCopy',
    'pauseLane',
    'registerLane',
    'lease',
    'renew',
    'unlease',
    'redact',
  ],
  audit: ['firstNonce', 'nonces', 'submissions', 'ended'],
  archive: ['archive'],
  health: ['probe', 'size'],
  quotes: ['add', 'find', 'redeem', 'forget'],
  transfers: ['get', 'update', 'forget', 'countUnconfirmed'],
  register: ['page', 'ofTransaction', 'ofKeys', 'ofId'],
  operatorLog: ['begin', 'end', 'page'],
  settlements: ['ended', 'revertsOf', 'live'],
  traffic: ['live', 'depositsSince'],
  topUps: ['since'],
  poolControls: ['all', 'pause', 'resume', 'upstreamFailed', 'upstreamAnswered'],
  locks: ['take', 'replace', 'release', 'forget'],
  gas: ['newest', 'add', 'uses'],
  swapPins: ['pin', 'find'],
  swapRecords: ['kept', 'readUpTo', 'noteReadUpTo'],
  taskLeases: ['hold', 'release', 'holders', 'lapsed'],
  taskBook: ['controls', 'pause', 'resume', 'looks', 'note', 'forget', 'spending'],
  purchaseOrders: ['progress', 'advance', 'open', 'end', 'forget'],
  dailyCloses: ['closes', 'keep'],
  rewardRates: ['last', 'keep'],
  leverageTargets: ['of', 'set'],
  webhookDeliveries: [
    'add',
    'ofKind',
    'count',
    'countUndelivered',
    'claim',
    'makeDue',
    'want',
    'settle',
    'postpone',
    'remove',
    'forget',
  ],
  webhookAlerts: ['note', 'sightings', 'forget'],
} as const satisfies StoreMethods & ObservedMethods;

/** Each store of an opened one, but for the bus, which answers nothing. */
type StoreMethods = {
  readonly [
    Name in Exclude<keyof OpenedStore, 'bus' | 'close'>
  ]: readonly (keyof OpenedStore[Name])[];
};

/** The same store; each call of each of its parts is measured and traced. */
export function observedStore(
  observer: Pick<PortObserver<typeof STORE_PORTS>, 'observe'>,
  opened: OpenedStore,
): OpenedStore {
  const observed = new Map<keyof OpenedStore, object>();
  return new Proxy(opened, {
    get(target, property) {
      const name = NAMES.find((known) => known === property);
      if (name === undefined) return Reflect.get(target, property, target);
      const before = observed.get(name) ?? observer.observe<object>(name, target[name]);
      observed.set(name, before);
      return before;
    },
  });
}

// CAST: the keys of a constant are all the keys that its type has.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const NAMES = Object.keys(STORE_PORTS) as readonly (keyof typeof STORE_PORTS)[];
