import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { SingleFlight } from '@sotto/kernel';

/** Resolves a name to all of its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** The name has no address that may be connected to. */
export class AddressForbidden extends Error {}

/**
 * What a socket asks for the addresses that it connects to: so what is checked is what is
 * connected to, and no later answer of a name server takes its place. One address that is not
 * allowed refuses them all. Look-ups of one name are one while it lasts: those that hang would take
 * the threads by which the service looks up its nodes.
 */
export function guardedLookup(
  resolve: ResolveName,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  const lookups = new SingleFlight<readonly LookupAddress[]>();
  const checked = async (hostname: string): Promise<LookupAddress[] | Error> => {
    try {
      const addresses = await lookups.run(hostname, () => resolve(hostname));
      return addresses.length > 0 && addresses.every(({ address }) => isAllowed(address))
        ? [...addresses]
        : new AddressForbidden('the address is not of the public internet');
    } catch (error) {
      return error instanceof Error ? error : new Error('the name was not resolved');
    }
  };
  return (hostname, { all }, callback) => {
    const answer = async (): Promise<void> => {
      const result = await checked(hostname);
      if (result instanceof Error) {
        callback(result, []);
        return;
      }
      const [first] = result;
      if (all === true || first === undefined) callback(null, result);
      else callback(null, first.address, first.family);
    };
    void answer();
  };
}
