import type { ReasonWords } from './reasons.js';
import { REASON_WORDS } from './reasons.js';
import type {
  AuditEntry,
  Failure,
  Gate,
  Lane,
  Node,
  PoolVerdict,
  Reason,
  Submission,
  SubmissionDetail,
  Task,
  Verdict,
} from './service.js';

/** Colour of a text about a state. The text must be understandable without the colour. */
type Tone = 'good' | 'care' | 'bad' | 'quiet';

export interface Said {
  readonly tone: Tone;
  readonly text: string;
}

/**
 * Age in ms above which the page warns that its data is outdated. The page reads the status every
 * five seconds.
 */
const STALE_AFTER_MS = 20_000;

const FRI_PER_MILLI_STRK = 10n ** 15n;

/** Formats an amount in fri as STRK with three decimals, truncated: `0.281`. */
export function strk(fri: string | bigint | null): string {
  if (fri === null) return 'not known';
  const amount = BigInt(fri);
  const sign = amount < 0n ? '−' : '';
  const size = amount < 0n ? -amount : amount;
  const milli = size / FRI_PER_MILLI_STRK;
  if (milli === 0n) return size === 0n ? '0' : `${sign}<0.001`;
  const fraction = String(milli % 1_000n).padStart(3, '0');
  const whole = String(milli / 1_000n).replace(/\B(?=(?:\d{3})+$)/g, ' ');
  return `${sign}${whole}.${fraction}`;
}

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/**
 * Formats a duration in ms in its largest unit: `3 min`. A negative duration is formatted as zero.
 */
export function age(ms: number): string {
  const total = Math.max(0, Math.floor(ms / 1_000));
  const [size, unit] = UNITS.find(([least]) => total >= least) ?? [1, 's'];
  return `${Math.floor(total / size)} ${unit}`;
}

/** Returns the first and last digits of an address or a hash. */
export const short = (hex: string): string =>
  hex.length <= 14 ? hex : `${hex.slice(0, 8)}…${hex.slice(-4)}`;

/** Formats a name readably: `broadcast_only` becomes `broadcast only`. */
export const plain = (name: string): string => name.replaceAll('_', ' ').toLowerCase();

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/**
 * Returns the console's texts for a reason, or the service's text if the console does not know the
 * reason code.
 */
export function wordsOf({ code, meaning }: Reason): Omit<ReasonWords, 'runbook'> & {
  readonly runbook: string | null;
} {
  const known: Readonly<Partial<Record<string, ReasonWords>>> = REASON_WORDS;
  return known[code] ?? { headline: plain(code), mend: meaning, runbook: null };
}

/**
 * Returns all reasons why withdrawals from a pool can't succeed: the reasons of the pool and the
 * reasons of the instance.
 */
export const reasonsOf = (pool: PoolVerdict, verdict: Verdict): readonly Reason[] => [
  ...pool.reasons,
  ...verdict.reasons,
];

/**
 * Returns the text of the verdict, which states if a withdrawal can succeed now and in how many
 * pools.
 */
export function verdictSaid({ asOf, reasons, pools }: Verdict): Said {
  if (asOf === 0) return { tone: 'care', text: 'Not known yet' };
  const open = reasons.length > 0 ? 0 : pools.filter(({ canWithdraw }) => canWithdraw).length;
  if (open === 0) return { tone: 'bad', text: 'Withdrawals cannot succeed' };
  return open === pools.length
    ? { tone: 'good', text: 'Withdrawals can succeed' }
    : { tone: 'care', text: `Withdrawals can succeed in ${open} of ${pools.length} pools` };
}

/** Times of a response, from which the page computes the age of its data. */
export interface Receipt {
  readonly receivedAtMs: number;
  /**
   * Time of the response by the service's clock, in ms. All times in the response use that clock.
   * Null if the response does not contain it.
   */
  readonly servedAtMs: number | null;
}

/**
 * Returns the age in ms of a time that the service reported. The clocks of browser and service may
 * differ. Therefore the time until the response is measured by the service's clock, and the time
 * since the response by the browser's clock.
 */
export const ageMs = (atMs: number, { receivedAtMs, servedAtMs }: Receipt, nowMs: number): number =>
  (servedAtMs ?? receivedAtMs) - atMs + (nowMs - receivedAtMs);

/** Returns a text that warns of outdated data. Null while the data is current. */
export function staleSaid(
  failure: Failure | null,
  verdict: Verdict,
  receipt: Receipt,
  nowMs: number,
): string | null {
  const sinceReceiptMs = nowMs - receipt.receivedAtMs;
  if (failure !== null && sinceReceiptMs >= 2_000)
    return `${failure.httpStatus === null ? 'Connection lost' : failureSaid(failure)} · shown is ${age(sinceReceiptMs)} old`;
  if (sinceReceiptMs > STALE_AFTER_MS) return `Shown is ${age(sinceReceiptMs)} old`;
  const pollMs = ageMs(verdict.asOf * 1_000, receipt, nowMs);
  return verdict.asOf > 0 && pollMs > STALE_AFTER_MS
    ? `The last check by the service was ${age(pollMs)} ago`
    : null;
}

/** Formats the details of a reason: `error LEDGER_UNAVAILABLE, cause ENOSPC`. */
export const detailsSaid = (details: Reason['details']): string =>
  Object.entries(details)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

/** Returns the text for a failed request. */
export function failureSaid({ message, code, httpStatus }: Failure): string {
  if (httpStatus === 429) return 'Too many requests for now; the page waits';
  if (httpStatus === 401 || httpStatus === 403) return 'The service does not accept this token';
  const said = message.replace(/\.$/, '');
  return code === null ? `${said.charAt(0).toUpperCase()}${said.slice(1)}` : `${said} (${code})`;
}

const STATE_TONES: Readonly<Record<Submission['state'], Tone>> = {
  accepted: 'quiet',
  broadcast: 'care',
  succeeded: 'good',
  reverted: 'bad',
  refused: 'bad',
  expired: 'bad',
};

export const stateSaid = ({ state, reorged, endedAt }: Submission): Said =>
  reorged && endedAt === null
    ? { tone: 'care', text: 'undone by a reorg' }
    : { tone: STATE_TONES[state], text: state };

/** Returns whether the operator can still retry or cancel a submission. */
export function permitted({ submission, cancellable }: SubmissionDetail): {
  readonly retry: boolean;
  readonly cancel: boolean;
} {
  const isLive = submission.endedAt === null;
  return { retry: isLive, cancel: isLive && cancellable };
}

const GATE_TONES: Readonly<Record<Gate['state'], Tone>> = {
  open: 'good',
  trial: 'care',
  paused: 'bad',
  exhausted: 'bad',
};

const CAUSES: Readonly<Record<NonNullable<Gate['cause']>, string>> = {
  operator: 'by an operator',
  configuration: 'by the settings',
  reverts: 'by the breaker: reverts in a row',
  losses: 'by the breaker: losses',
  upstream: 'by the breaker: something it depends on fails',
  pool: 'its budget of the hour',
  all: 'the budget of all pools',
};

export const gateSaid = ({ state, cause }: Gate): Said => ({
  tone: GATE_TONES[state],
  text: cause === null ? state : `${state} ${CAUSES[cause]}`,
});

const LANE_TONES: Readonly<Partial<Record<string, Tone>>> = {
  ready: 'good',
  full: 'good',
  held_elsewhere: 'quiet',
  retiring: 'quiet',
  unknown: 'care',
  quarantined: 'care',
};

export const laneSaid = ({ state, reason }: Lane): Said => ({
  tone: LANE_TONES[state] ?? 'bad',
  text: reason === null || reason === state ? plain(state) : `${plain(state)}: ${plain(reason)}`,
});

const LEASES: Readonly<Partial<Record<string, string>>> = {
  ready: 'this instance',
  full: 'this instance',
  short_of_funds: 'this instance',
  held_elsewhere: 'another instance',
};

/** Returns a text about the holder of a lane's lease, derived from the lane's state. */
export const leaseSaid = ({ state }: Lane): string => LEASES[state] ?? '–';

export const timeOf = (unixSeconds: number): string =>
  new Date(unixSeconds * 1_000).toLocaleString(undefined, {
    dateStyle: 'short',
    timeStyle: 'medium',
  });

/** Converts the local time in a form field, such as `2026-11-24T19:30`, to Unix seconds. */
export const secondsOf = (field: string): string => String(Date.parse(field) / 1_000);

/**
 * Converts Unix seconds to the local time for a form field. The result is empty if the time is
 * undefined.
 */
export function timeFieldOf(seconds: string | undefined): string {
  if (seconds === undefined) return '';
  const at = new Date(Number(seconds) * 1_000);
  const localMs = at.getTime() - at.getTimezoneOffset() * 60_000;
  return new Date(localMs).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);
}

export function taskSaid({ paused, on, held }: Task): Said {
  if (paused !== null) return { tone: 'care', text: 'paused' };
  if (held) return { tone: 'good', text: 'runs' };
  return on ? { tone: 'care', text: 'on, and held by no process' } : { tone: 'quiet', text: 'off' };
}

export function nodeSaid({ up, inUse, chainOk, disagreements }: Node): Said {
  if (chainOk === false) return { tone: 'bad', text: 'serves another chain' };
  if (!up) return { tone: 'bad', text: 'down' };
  const use = inUse ? 'in use' : 'in reserve';
  return disagreements.length > 0
    ? { tone: 'care', text: `disagrees, ${use}` }
    : { tone: inUse ? 'good' : 'quiet', text: use };
}

/** Components of the verdict whose reasons concern prices. */
const PRICE_COMPONENTS: ReadonlySet<string> = new Set(['prices', 'price_sources']);

/**
 * Returns the reasons of the verdict that concern prices, including failed checks of price sources.
 */
export const priceReasonsOf = ({ reasons, warnings, pools }: Verdict): readonly Reason[] =>
  [...reasons, ...warnings, ...pools.flatMap((pool) => pool.reasons)].filter(({ component }) =>
    PRICE_COMPONENTS.has(component),
  );

/** Returns the text for the outcome of an operator's action. */
export function outcomeSaid(outcome: AuditEntry['outcome']): Said {
  if (outcome === null) return { tone: 'care', text: 'not known' };
  return outcome === 'DONE' ? { tone: 'good', text: 'done' } : { tone: 'bad', text: outcome };
}

/**
 * Returns the title of the browser tab, which contains the verdict even while the tab is hidden.
 */
export const titleOf = (said: Said | null): string =>
  said === null ? 'Sotto console' : `${said.tone === 'good' ? '✓' : '✗'} ${said.text} · Sotto`;
