import { describe, expect, it } from '@jest/globals';
import { toFelt } from '@sotto/kernel';
import { audit, findings, type AuditInput } from '../../src/ledger/audit.js';

const lane = toFelt(0x1n);
const attempt = { id: 'a', key: 'k', attempt: 1, state: 'succeeded', rejectionCode: null };
const transaction = { hash: toFelt(0x10n), lane, kind: 'call', key: 'k', attempt: 1 };
const nonceAt = (at: number) => ({
  lane,
  nonce: at,
  through: at,
  isSettled: true,
  isForeign: false,
});
const nonce = nonceAt(0);
const inclusion = {
  hash: toFelt(0x10n),
  sender: lane,
  nonce: 0n,
  executionStatus: 'SUCCEEDED',
  feeFri: 1n,
  finality: 'ACCEPTED_ON_L2',
} as const;

/** Audit input of one withdrawal that was accepted, included once and settled. */
const sound = {
  ledger: { attempts: [attempt], nonces: [nonce], transactions: [transaction] },
  inclusions: [inclusion],
  paidOut: 1,
  accepted: ['a'],
} as const satisfies AuditInput;

const second = { ...transaction, hash: toFelt(0x11n) };
const secondInclusion = { ...inclusion, hash: second.hash, nonce: 1n };

describe('the audit', () => {
  it('the audit finds nothing if ledger and chain agree', () => {
    const found = audit(sound);
    expect(findings(found)).toEqual([]);
    expect(found).toMatchObject({
      attempts: 1,
      inclusions: 1,
      noops: 0,
      byState: { succeeded: 1 },
      byReason: {},
    });
  });

  it('the audit accepts a refused attempt whose nonce was consumed by a no-op', () => {
    const found = audit({
      ledger: {
        attempts: [{ ...attempt, state: 'refused', rejectionCode: 'NON_ACCOUNT' }],
        nonces: [nonce],
        transactions: [transaction, { ...second, kind: 'noop', key: null, attempt: null }],
      },
      inclusions: [{ ...secondInclusion, nonce: 0n }],
      paidOut: 0,
      accepted: ['a'],
    });
    expect(findings(found)).toEqual([]);
    expect(found).toMatchObject({ noops: 1, byReason: { NON_ACCOUNT: 1 } });
  });

  it.each<[string, AuditInput, string[]]>([
    [
      'a submission that a caller received and the ledger lacks',
      { ...sound, accepted: ['a', 'b'] },
      ['lost: b'],
    ],
    [
      'a second inclusion of one attempt',
      {
        ...sound,
        ledger: {
          ...sound.ledger,
          nonces: [nonce, nonceAt(1)],
          transactions: [transaction, second],
        },
        inclusions: [inclusion, secondInclusion],
        paidOut: 2,
      },
      [
        'doubles: k was paid 2 times',
        'disagreements: a is succeeded, the chain has: SUCCEEDED, SUCCEEDED',
      ],
    ],
    [
      'two attempts of one withdrawal that were both paid',
      {
        ...sound,
        ledger: {
          attempts: [attempt, { ...attempt, id: 'b', attempt: 2 }],
          nonces: [nonce, nonceAt(1)],
          transactions: [transaction, { ...second, attempt: 2 }],
        },
        inclusions: [inclusion, secondInclusion],
        paidOut: 2,
      },
      ['doubles: k was paid 2 times'],
    ],
    [
      'a success that the chain does not have',
      { ...sound, inclusions: [{ ...inclusion, executionStatus: 'REVERTED' }], paidOut: 0 },
      ['disagreements: a is succeeded, the chain has: REVERTED'],
    ],
    [
      'a refusal of what was paid',
      {
        ...sound,
        ledger: {
          ...sound.ledger,
          attempts: [{ ...attempt, state: 'refused', rejectionCode: 'NON_ACCOUNT' }],
        },
      },
      ['disagreements: a is refused, the chain has: SUCCEEDED'],
    ],
    [
      'a transaction that is not in the ledger',
      { ...sound, inclusions: [inclusion, secondInclusion] },
      [`disagreements: ${second.hash} is on chain and not in the ledger`],
    ],
    [
      'a payment that no transaction of the ledger explains',
      { ...sound, paidOut: 2 },
      ["disagreements: the pool has paid 2 times, the ledger's transactions 1 times"],
    ],
    [
      'an end without a reason',
      {
        ...sound,
        ledger: { ...sound.ledger, attempts: [{ ...attempt, state: 'expired' }], transactions: [] },
        inclusions: [],
        paidOut: 0,
      },
      ['unreasoned: a', `holes: nonce 0 of ${lane}`],
    ],
    [
      'what never ended',
      {
        ...sound,
        ledger: {
          ...sound.ledger,
          attempts: [{ ...attempt, state: 'broadcast' }],
          nonces: [{ ...nonce, isSettled: false }],
        },
      },
      ['stuck: a is broadcast', `stuck: nonce 0 of ${lane} is open`],
    ],
    [
      'a nonce that the ledger calls foreign',
      { ...sound, ledger: { ...sound.ledger, nonces: [{ ...nonce, isForeign: true }] } },
      [`foreign: nonce 0 of ${lane}`],
    ],
    [
      'a nonce gap above a range that was imported as one row',
      {
        ...sound,
        ledger: { ...sound.ledger, nonces: [{ ...nonce, through: 1 }, nonceAt(3)] },
        inclusions: [
          inclusion,
          { ...inclusion, hash: toFelt(0x12n), sender: toFelt(0x2n), nonce: 3n },
        ],
      },
      [1, 2, 3].map((at) => `holes: nonce ${at} of ${lane}`),
    ],
    [
      'a nonce without a row',
      {
        ...sound,
        ledger: {
          ...sound.ledger,
          nonces: [nonce, nonceAt(2)],
          transactions: [transaction, { ...second, kind: 'noop', key: null }],
        },
        inclusions: [inclusion, { ...secondInclusion, nonce: 2n }],
      },
      [`holes: nonce 1 of ${lane}`],
    ],
  ])('the audit reports %s', (_what, input, expected) => {
    expect(findings(audit(input))).toEqual(expected);
  });
});
