import { feltOrNull } from './values.js';

/** Names of profile fields that contain one or more contract addresses. */
const ADDRESS_FIELDS: ReadonlySet<string> = new Set(['address', 'vaultToken', 'routers']);

/**
 * Finds addresses that a profile contains more than once, in any spelling. One contract has one
 * role, so a second occurrence is a copying error. The function reads the unparsed file, so that
 * repeated addresses are reported together with all other problems.
 * @returns one sentence for each repetition, which contains both places in the profile
 */
export function repeatedAddresses(profile: unknown): readonly string[] {
  const firstPlaces = new Map<string, string>();
  const problems: string[] = [];
  for (const { place, address } of addressesIn(profile)) {
    const first = firstPlaces.get(address);
    if (first === undefined) firstPlaces.set(address, place);
    else problems.push(`${place}: is the address of ${first} already`);
  }
  return problems;
}

function* addressesIn(
  value: unknown,
  place = '',
  field = '',
): Generator<{ readonly place: string; readonly address: string }> {
  if (typeof value === 'string') {
    const address = ADDRESS_FIELDS.has(field) ? feltOrNull(value) : null;
    if (address !== null) yield { place, address };
  } else if (Array.isArray(value)) {
    for (const [index, element] of value.entries())
      yield* addressesIn(element, `${place}[${index}]`, field);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value))
      yield* addressesIn(part, place === '' ? name : `${place}.${name}`, name);
  }
}
