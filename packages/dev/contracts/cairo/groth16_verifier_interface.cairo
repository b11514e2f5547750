/// The interface of the verifiers that Garaga generates. The span comes without a length of its own in front of the proof.
#[starknet::interface]
trait IGroth16Verifier<TContractState> {
    /// The public inputs of a proof that holds.
    fn verify_groth16_proof_bn254(
        self: @TContractState, full_proof_with_hints: Span<felt252>
    ) -> Result<Span<u256>, felt252>;
}
