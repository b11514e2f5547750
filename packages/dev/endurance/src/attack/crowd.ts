/** IP addresses of one attacker. */
export interface Crowd {
  /**
   * Number that distinguishes the addresses of different attacks. For version 4, this is the second
   * byte of an address; for version 6, the third group.
   */
  readonly range: number;
  readonly addresses: number;
  /** Number of networks to which the addresses belong. */
  readonly networks: number;
  /**
   * IP version. Networks of version 4 are /24. Networks of version 6 are /48, with one /64 per
   * address.
   * @default 4
   */
  readonly version?: 4 | 6;
}

/** Returns a crowd that has `factor` times as many addresses and networks as the given crowd. */
export function times(factor: number, crowd: Crowd): Crowd {
  return {
    ...crowd,
    addresses: crowd.addresses * factor,
    networks: crowd.networks * factor,
  };
}

/** Returns the crowd's address for a request, in the form in which a trusted proxy reports it. */
export function addressIn(
  { range, addresses, networks, version = 4 }: Crowd,
  index: number,
): string {
  const place = index % addresses;
  const network = place % networks;
  const host = Math.floor(place / networks) + 1;
  return version === 4
    ? `10.${range}.${network}.${host}`
    : `2001:db8:${(range * 256 + network).toString(16)}:${host.toString(16)}::1`;
}
