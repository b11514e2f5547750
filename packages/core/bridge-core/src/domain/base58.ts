/** Bitcoin's alphabet, which Solana uses. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** How many bytes a base58 text stands for and the number in them; undefined for any other text. */
export function decodeBase58(
  text: string,
): { readonly bytes: number; readonly value: bigint } | undefined {
  let value = 0n;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const leadingZeros = text.length - text.replace(/^1+/, '').length;
  const rest = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return { bytes: leadingZeros + rest, value };
}
