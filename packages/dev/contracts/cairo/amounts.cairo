use integer::{u256_wide_mul, u512_safe_div_rem_by_u256};
use option::OptionTrait;
use traits::TryInto;
use zeroable::NonZero;

/// a * b / divisor, rounded down. The product may be wider than a u256, the result may not.
fn mul_div(a: u256, b: u256, divisor: u256) -> u256 {
    let divisor: NonZero<u256> = divisor.try_into().expect('Division by 0');
    let (quotient, _) = u512_safe_div_rem_by_u256(u256_wide_mul(a, b), divisor);
    assert(quotient.limb2 == 0 && quotient.limb3 == 0, 'mul_div Overflow');
    u256 { low: quotient.limb0, high: quotient.limb1 }
}
