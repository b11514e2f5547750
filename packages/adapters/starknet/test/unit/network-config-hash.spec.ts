import { describe, expect, it } from '@jest/globals';
import { STRK_TOKEN, networkConfigHash, shortStringFelt } from '@sotto/adapter-starknet';
import { toFelt } from '@sotto/kernel';
import { ec } from 'starknet';

describe('networkConfigHash', () => {
  it('returns the hash that a node of Sepolia reports', () => {
    // Source: text of the sequencer for a proof of another network.
    expect(networkConfigHash(shortStringFelt('SN_SEPOLIA'), STRK_TOKEN)).toBe(
      toFelt(780173824077612199657331940007038546159930121571926143361206405091891673285n),
    );
  });

  it('hashes version, chain and token in this order, with their number at the end', () => {
    const [chainId, strk] = [shortStringFelt('SN_MAIN'), toFelt('0x4718')];
    const hashed = [shortStringFelt('StarknetOsConfig3'), chainId, strk, '0x3'].reduce(
      (left, right) => ec.starkCurve.pedersen(left, right),
      '0x0',
    );
    expect(networkConfigHash(chainId, strk)).toBe(toFelt(BigInt(hashed)));
  });
});
