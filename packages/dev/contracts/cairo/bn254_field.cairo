/// Order of BN254's groups: the field of public inputs, commitments and the tree's nodes.
const R: u256 = 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001;
