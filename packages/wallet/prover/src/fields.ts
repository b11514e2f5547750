/**
 * Order of BN254's base field (EIP-197, alt_bn128). The coordinates of proof points are elements of
 * this field.
 */
export const BASE_FIELD =
  21888242871839275222246405745257275088696311157297823662689037894645226208583n;
