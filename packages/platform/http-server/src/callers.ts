import type { IncomingMessage } from 'node:http';
import { isIPv4, isIPv6, type Socket } from 'node:net';
import { SHARED_CALLER, type Caller } from '@sotto/kernel';
import { ipKeyGenerator } from 'express-rate-limit';

/**
 * Function that returns the identity by which a caller is counted: the address or its network. The
 * identity is stored only in memory and has no other use.
 */
export type NamesCaller = (request: IncomingMessage) => Caller;

/** Connections of the shared listener, whose callers are counted as one caller. */
const shared = new WeakSet<Socket>();

/** Marks a connection of the shared listener: all its requests are counted as one shared caller. */
export function shareCaller(socket: Socket): void {
  shared.add(socket);
}

/**
 * Length of the IPv6 prefix by which a caller is counted. A caller can usually use all addresses of
 * a /64.
 */
const IPV6_SUBNET = 64;

/**
 * Creates the function that identifies callers.
 * @param trustedProxies number of proxies in front of the service whose forwarded addresses are
 *   trusted, as in Express' `trust proxy`
 */
export function namingCallers(trustedProxies: number): NamesCaller {
  /** Caller of the last request of each connection, with the header from which it was derived. */
  const known = new WeakMap<Socket, { readonly forwarded: Forwarded; readonly caller: Caller }>();
  return ({ socket, headers: { 'x-forwarded-for': forwarded } }) => {
    const before = known.get(socket);
    if (before !== undefined && before.forwarded === forwarded) return before.caller;
    const caller = shared.has(socket)
      ? SHARED_CALLER
      : callerAt(addressOf(socket, forwarded, trustedProxies));
    known.set(socket, { forwarded, caller });
    return caller;
  };
}

/** Returns the caller at an address, as spelled by the connection or the proxy. */
export function callerAt(address: string | undefined): Caller {
  const name = keyOf(address);
  return { name, networks: networksOf(name) };
}

/**
 * Common name of all callers whose forwarded address is unreadable. If each unreadable text were a
 * name, a caller could appear as a new caller with each request.
 */
const UNREADABLE = 'unreadable';
const WITH_PORT = /^(?:\[(?<v6>[^\]]*)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

function keyOf(given: string | undefined): string {
  if (given === undefined) return 'gone';
  // Some proxies append the port to the address.
  const { v6, v4 } = WITH_PORT.exec(given)?.groups ?? {};
  const [address = ''] = (v6 ?? v4 ?? given).split('%');
  return isIPv4(address) || isIPv6(address) ? ipKeyGenerator(address, IPV6_SUBNET) : UNREADABLE;
}

type Forwarded = string | readonly string[] | undefined;

/**
 * Returns the client's address. Starts with the address of the connection, and follows the
 * forwarded addresses while the proxies are trusted.
 */
function addressOf(
  { remoteAddress }: Socket,
  forwarded: Forwarded,
  trustedProxies: number,
): string | undefined {
  const hops = String(forwarded ?? '')
    .split(',')
    .map((address) => address.trim())
    .filter((address) => address !== '');
  const addresses = [remoteAddress, ...hops.toReversed()];
  return addresses[Math.min(trustedProxies, addresses.length - 1)];
}

/**
 * Returns the wider networks of an address, narrowest first: /56 and /48 for IPv6, /24 for IPv4.
 * The list is empty if the key is not an address.
 */
function networksOf(key: string): readonly string[] {
  const [address = ''] = key.split('/');
  if (isIPv6(address)) return [ipKeyGenerator(address, 56), ipKeyGenerator(address, 48)];
  return isIPv4(address) ? [`${address.slice(0, address.lastIndexOf('.'))}.0/24`] : [];
}
