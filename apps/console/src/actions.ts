import type { Failure, PauseTarget, Read, Service } from './service.js';
import { failureSaid, gateSaid, laneSaid } from './words.js';

/** An operator's action that requires a reason. */
export interface Action {
  readonly title: string;
  readonly explains: string;
  readonly verb: string;
  /** Describes who can read the reason, in addition to readers of the audit log. */
  readonly reasonIsFor: string;
  /** Performs the action. Resolves to a sentence about the result. */
  readonly run: (service: Service, reason: string) => Promise<Read<string>>;
}

const THE_LOG = 'It is stored in the log of operator actions.';

const nameOf = (target: PauseTarget): string => {
  switch (target.kind) {
    case 'pool':
      return `pool ${target.name}`;
    case 'lane':
      return `account ${target.name}`;
    case 'task':
      return target.subject === null
        ? `task ${target.name}`
        : `task ${target.name} for ${target.subject}`;
  }
};

export function pauseOf(target: PauseTarget): Action {
  const shared = { title: `Pause ${nameOf(target)}`, verb: 'Pause' } as const;
  switch (target.kind) {
    case 'pool':
      return {
        ...shared,
        explains:
          'Every instance refuses withdrawals, swaps, batches and quotes of the pool until it is resumed. Requests that were accepted before are still completed.',
        reasonIsFor: 'The public reads it on /status, and each caller that is refused.',
        run: async (service, reason) =>
          said(
            await service.pausePool(target.name, reason),
            (pool) => `Pool ${pool.key} is ${gateSaid(pool.withdrawals).text}.`,
          ),
      };
    case 'lane':
      return {
        ...shared,
        explains:
          'The account accepts no new work, in any instance, until it is resumed. Its transactions in flight are followed and settled.',
        reasonIsFor: 'Operators read it.',
        run: async (service, reason) =>
          said(
            await service.pauseLane(target.name, reason),
            (lane) => `The account is ${laneSaid(lane).text}.`,
          ),
      };
    case 'task':
      return {
        ...shared,
        explains:
          'No process submits anything new for it until it is resumed. Earlier submissions continue.',
        reasonIsFor: 'The public reads it on /api/keeper/status.',
        run: async (service, reason) =>
          said(
            await service.pauseTask(target.name, target.subject, reason),
            () => `Paused: ${nameOf(target)}.`,
          ),
      };
  }
}

export function resumeOf(target: PauseTarget): Action {
  const shared = {
    title: `Resume ${nameOf(target)}`,
    verb: 'Resume',
    reasonIsFor: THE_LOG,
  } as const;
  switch (target.kind) {
    case 'pool':
      return {
        ...shared,
        explains:
          'Ends an operator’s pause and every run of failures. A pause by the settings and a spent budget stay.',
        run: async (service, reason) =>
          said(
            await service.resumePool(target.name, reason),
            (pool) => `Pool ${pool.key} is ${gateSaid(pool.withdrawals).text}.`,
          ),
      };
    case 'lane':
      return {
        ...shared,
        explains:
          'Ends a pause: an operator’s, and one by a transaction that this service did not send. Make sure first that nothing else has the key.',
        run: async (service, reason) =>
          said(await service.resumeLane(target.name, reason), (lane) =>
            lane.state === 'unknown'
              ? 'Resumed. The account is checked before it accepts work.'
              : `Resumed. The account is ${laneSaid(lane).text}.`,
          ),
      };
    case 'task':
      return {
        ...shared,
        explains:
          'Ends the pause, and failures up to now count no more. A pause of the whole task still holds for a subject that is resumed.',
        run: async (service, reason) =>
          said(await service.resumeTask(target.name, target.subject, reason), ({ paused }) =>
            paused === null
              ? `Resumed: ${nameOf(target)}.`
              : `Resumed: ${nameOf(target)}. The task as a whole is still paused.`,
          ),
      };
  }
}

export const retryOf = (id: string): Action => ({
  title: `Retry now: submission ${id}`,
  verb: 'Retry now',
  explains:
    'Every instance checks the submission at once, and sends a transaction if its rules require one. This action sets no nonce and no price.',
  reasonIsFor: THE_LOG,
  run: async (service, reason) =>
    said(
      await service.retry(id, reason),
      ({ state }) => `The submission is being checked now; its state is ${state}.`,
    ),
});

export const cancelOf = (id: string): Action => ({
  title: `Cancel the submission ${id}`,
  verb: 'Cancel the submission',
  explains:
    'Ends it, as long as nothing of it was signed. Its caller may send the same request again.',
  reasonIsFor: THE_LOG,
  run: async (service, reason) =>
    said(await service.cancel(id, reason), ({ state }) => `It has ended: ${state}.`),
});

/** Returns the text for an action that failed or whose outcome is unknown. */
export const actionFailureSaid = (failure: Failure): string =>
  failure.httpStatus === null || failure.httpStatus >= 500
    ? `${failureSaid(failure)}. The action may have had an effect: check the state and the log before you repeat it.`
    : `Not done. ${failureSaid(failure)}.`;

const said = <T>(read: Read<T>, words: (value: T) => string): Read<string> =>
  'failure' in read ? read : { ...read, value: words(read.value) };
