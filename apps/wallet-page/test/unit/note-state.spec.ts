import { describe, expect, it } from '@jest/globals';
import { STATES, noteStateOf, type NoteRecords, type NoteState } from '../../src/note-state.js';

const nothing: NoteRecords = {
  place: undefined,
  isSpent: false,
  deposit: undefined,
  withdrawal: undefined,
  swap: undefined,
};
const place = { batch: undefined };
const active = { ...nothing, place: { batch: {} } };
const spent = { ...active, isSpent: true };

describe('the state of a note', () => {
  it.each<[NoteState, NoteRecords]>([
    ['depositing', { ...nothing, deposit: { state: 'open' } }],
    ['failed', { ...nothing, deposit: { state: 'failed' } }],
    ['waiting', { ...nothing, place, deposit: { state: 'failed' } }],
    ['active', active],
    ['active', { ...active, withdrawal: { state: 'failed' } }],
    ['active', { ...active, withdrawal: { state: 'needs-new-quote' } }],
    ['active', { ...active, swap: { state: 'stopped' } }],
    ['withdrawing', { ...active, withdrawal: { state: 'open' } }],
    ['withdrawing', { ...spent, withdrawal: { state: 'open' } }],
    ['swapping', { ...spent, swap: { state: 'open' } }],
    ['swapped', { ...spent, swap: { state: 'swapped' } }],
    ['rescued', { ...active, swap: { state: 'reverted' }, withdrawal: { state: 'open' } }],
    ['withdrawn', { ...spent, swap: { state: 'withdrawn' } }],
    ['withdrawn', { ...spent, swap: { state: 'settled' } }],
    ['withdrawn', { ...spent, withdrawal: { state: 'settled' } }],
    ['withdrawn', { ...spent, withdrawal: { state: 'settled' }, swap: { state: 'stopped' } }],
  ])('the state of a note is %s if the wallet has the records %j', (state, records) => {
    expect(noteStateOf(records)).toBe(state);
  });

  it.each<NoteRecords>([
    spent,
    { ...spent, withdrawal: { state: 'failed' } },
    { ...spent, swap: { state: 'failed' } },
  ])(
    'the wallet page marks a note as bad if it was spent for an unknown recipient: %j',
    (records) => {
      expect(STATES[noteStateOf(records)].tone).toBe('bad');
    },
  );
});
