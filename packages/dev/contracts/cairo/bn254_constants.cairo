// Written by scripts/write-poseidon.mjs, where the names are explained.

// Limbs of r, and of 2^256, 2^320 and 2^384 modulo r.
const R_0: felt252 = 0x43e1f593f0000001;
const R_1: felt252 = 0x2833e84879b97091;
const R_2: felt252 = 0xb85045b68181585d;
const R_3: felt252 = 0x30644e72e131a029;
const SHIFT_4_0: felt252 = 0xac96341c4ffffffb;
const SHIFT_4_1: felt252 = 0x36fc76959f60cd29;
const SHIFT_4_2: felt252 = 0x666ea36f7879462e;
const SHIFT_4_3: felt252 = 0xe0a77c19a07df2f;
const SHIFT_5_0: felt252 = 0xb4c6edf97c5fb586;
const SHIFT_5_1: felt252 = 0x708c8d50bfeb93be;
const SHIFT_5_2: felt252 = 0x9ffd1de404f7e0ef;
const SHIFT_5_3: felt252 = 0x215b02ac9a392866;
const SHIFT_6_0: felt252 = 0xb075da81ef8cfeb9;
const SHIFT_6_1: felt252 = 0xa7f12acca5b6cd8c;
const SHIFT_6_2: felt252 = 0x32c475047957bf7b;
const SHIFT_6_3: felt252 = 0x3d581d748ffa25e;

// Modulo p.
const MINUS_INVERSE_OF_R: felt252 = 0x4ba00fc8a5bd1e75b69360b98e9c6440bfca7404543a4754cbcb10e577f6123;
const INVERSE_OF_SHIFT: felt252 = 0x800000000000010f7ffffffffffffef00000000000000000000000000000001;
