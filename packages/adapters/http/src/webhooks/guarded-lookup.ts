import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { SingleFlight } from '@sotto/kernel';

/** Function that resolves a host name to all of its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Error for a host name or literal address to which the service may not connect. */
export class AddressForbidden extends Error {}

/**
 * Creates a socket's lookup function that checks the addresses. The socket connects to the checked
 * addresses, so no later DNS response can replace them. A single forbidden address rejects all
 * addresses of the name. Concurrent lookups of one name share a single query: hanging queries would
 * otherwise occupy the threads that resolve the service's nodes.
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
