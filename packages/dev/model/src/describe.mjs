// Describes the steps of a trace in words.
import { isNoop, price } from './state.mjs';

/** Describes one step. Precondition: `o` was created by `options`. */
export function describe(step, o) {
  const at = (n) => (o.lanes > 1 ? `L${step.L}n${n}` : `n${n}`);
  const show = (tx, n = step.n) => `${isNoop(tx) ? `no-op v${price(tx)}` : tx}@${at(n)}`;
  const who = o.several && step.w !== undefined ? `[w${step.w}] ` : '';
  const lane = o.lanes > 1 && step.L !== undefined ? ` of L${step.L}` : '';
  const old = step.current === false && !step.because ? ' (rows read before)' : '';
  const refused = step.because
    ? `: refused, ${step.because}`
    : step.applied === false && step.do !== 'refusal'
      ? ': refused'
      : '';
  const words = {
    request: () => `accept ${step.attempt}`,
    renew: () => `${step.attempt} accepts call ${step.call}`,
    end_waiting: () => `${step.attempt} ends while it waits`,
    adopt: () => `adopt: ${step.tx} ${step.good ? 'has paid' : 'reverted'} ${step.attempt}`,
    quarantine_over: () =>
      `quarantine over: ${step.by === 'age' ? 'it should have aged out' : 'every nonce that was in use is consumed'}`,
    prepare_ended: () => `has too few blocks left to sign ${show(step.tx)}`,
    read_for_prepare: () => `reads rows to prepare ${show(step.tx)}`,
    store: () => storeWords(step, show),
    import: () => `a row for ${at(step.n)}, which the chain has passed`,
    claim: () => `claim another send of ${show(step.tx)}`,
    look_rows: () => `poll${lane}: reads rows`,
    look_chain: () =>
      `poll${lane}: ${step.fork ? 'a replica on the abandoned fork' : 'the chain'} answers nonce ${step.nonce}${step.lags ? ' (it lags)' : ''}`,
    look_end: () =>
      `poll${lane} ends${step.refused === undefined ? '' : `, refused n${step.refused}: another version`}`,
    settle: () =>
      `settle ${at(step.n)} by ${step.ours === false ? `a foreign transaction (${step.tx})` : show(step.tx)} ${step.good ? 'succeeded' : 'reverted'}${step.to ? `, ${step.loser} -> ${step.to}` : ''}`,
    reopen: () =>
      `reopen ${at(step.n)}${step.movedOn ? `: ${step.movedOn} has moved on, it has no owner` : ''}`,
    send: () =>
      `send ${show(step.tx)}: ${step.answer === 'timeout' ? 'timed out, lost or still in flight' : step.answer}`,
    refusal: () => `refusal of ${show(step.tx)} recorded: ${rejectionWords(step)}`,
    crash: () => `crash and restart${o.several ? ` of instance ${step.instance}` : ''}`,
    lease: () => `lease${lane} passes to instance ${step.instance}, the old holder still runs`,
    key_wrong: () => `the account${lane} refuses all our signatures: its key is wrong`,
    key_mended: () => `the key${lane} is mended`,
    lane_check: () => `the account${lane} passes its check: the lane works again`,
    ledger_lost: () => 'the ledger is lost',
    ledger_copied: () => 'a copy of the ledger is made',
    ledger_restored: () => 'the ledger is lost, the old copy is put in its place',
    chain: () => `chain: ${chainWords(step, show, at)}`,
  };
  return who + words[step.do]() + refused + old;
}

function storeWords({ kind, tx, attempt, as }, show) {
  if (kind === 'prepare') return `prepare ${show(tx)}, claimed`;
  const why = kind === 'cancel' ? `cancel ${attempt}` : kind;
  return `${why}: ${show(tx)} stored${as ? ` as ${as}'s` : ''}, claimed`;
}

function rejectionWords({ conclusive, lost, attempt, to, rests, cause }) {
  const verdict = `${attempt ? `, ${attempt} -> ${to}` : ''}${rests ? ', the lane rests' : ''}`;
  const forLane = cause === 'lane' ? ' for the lane' : '';
  if (conclusive) return `gone${forLane}${verdict}`;
  return (lost ? 'another version, lost' : 'proves nothing') + verdict;
}

function chainWords({ what, n, tx, good, cut }, show, at) {
  switch (what) {
    case 'preconfirmed':
      return `${show(tx)} PRE_CONFIRMED ${good ? 'S' : 'R'}`;
    case 'appears':
      return `${show(tx)} (re)appears in the pool`;
    case 'dropped':
      return `${show(tx)} dropped`;
    case 'foreign':
      return `a foreign transaction consumes ${at(n)}`;
    case 'l2':
      return 'ACCEPTED_ON_L2';
    case 'l1':
      return 'ACCEPTED_ON_L1';
    case 'reorg':
      return 'pre-confirmed block undone';
    case 'undone':
      return `ACCEPTED_ON_L2 undone, nonce is ${cut.join(' and ')} again`;
  }
}
