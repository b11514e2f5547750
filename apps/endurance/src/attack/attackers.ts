import { withdrawalBody, type WithdrawalBody } from '../stack/withdrawals.js';

/** Notes that the attacker owns: none of the honest client's. */
const FIRST_NOTE = 1_000_000;
/** In the public inputs of a proof's calldata: the first felt of the nullifier hash. */
const NULLIFIER_AT = 1 + 32 + 1 + 2;

let begun = 0;

/** A sound withdrawal of a note that the attacker owns. */
export function ownWithdrawal(): WithdrawalBody & { readonly note: number } {
  const note = FIRST_NOTE + begun++;
  return { ...withdrawalBody(note), note };
}

/** A proof that reads well and proves nothing: of another nullifier than it was made for. */
export function falseWithdrawal(): WithdrawalBody {
  const { poolAddress, calldata } = withdrawalBody(FIRST_NOTE + begun++);
  return { poolAddress, calldata: calldata.with(NULLIFIER_AT, `0x${(BigInt(calldata[NULLIFIER_AT] ?? '0x0') ^ 1n).toString(16)}`) };
}

/** As a trusted proxy tells it; one of so many addresses of a network. */
export function attackerAddress(index: number, addresses: number): string {
  const host = index % addresses;
  return `198.18.${(host >> 8) & 255}.${host & 255}`;
}
