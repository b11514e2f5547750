import { describe, expect, it } from '@jest/globals';
import { Felts, toFelt } from '@sotto/kernel';
import * as fc from 'fast-check';
import { packPayload, unpackPayload } from '../../src/pools/domain/private-action-payload.js';

const felt = fc.bigInt({ min: 0n, max: 2n ** 251n });
const felts = fc.array(felt, { maxLength: 8 }).map((values) => Felts.of(values));
const someFelts = fc.array(felt, { minLength: 1, maxLength: 8 }).map((values) => Felts.of(values));
const payload = fc.record({
  calldata: felts,
  facts: felts,
  proof: fc.uint8Array({ maxLength: 200 }),
  poolFee: fc.option(
    fc.record({ token: felt.map(toFelt), amountFri: fc.bigInt({ min: 1n, max: 2n ** 128n }) }),
  ),
  outsideExecution: fc.option(fc.record({ account: felt.map(toFelt), calldata: someFelts })),
});

describe('payload of private actions', () => {
  it('unpackPayload returns each packed payload', () => {
    fc.assert(
      fc.property(payload, (packed) => {
        const read = unpackPayload(packPayload(packed));
        expect(read?.calldata.equals(packed.calldata)).toBe(true);
        expect(read?.facts.equals(packed.facts)).toBe(true);
        expect(read?.proof).toEqual(packed.proof);
        expect(read?.poolFee).toEqual(packed.poolFee);
        expect(read?.outsideExecution?.account).toBe(packed.outsideExecution?.account);
        expect(read?.outsideExecution?.calldata.toHex()).toEqual(
          packed.outsideExecution?.calldata.toHex(),
        );
      }),
    );
  });

  it('unpackPayload never throws, and returns null for any other felts', () => {
    fc.assert(
      fc.property(felts, (any) => {
        expect(unpackPayload(Felts.join(any, Felts.of([2n])))).toBeNull();
      }),
    );
    expect(unpackPayload(Felts.of([]))).toBeNull();
    expect(unpackPayload(Felts.of([0n, 2n ** 250n, 0n, 0n, 1n, 1n, 1n]))).toBeNull();
    expect(unpackPayload(Felts.of([0n, 1n, 0n, 0n, 1n, 2n ** 250n, 1n]))).toBeNull();
  });
});
