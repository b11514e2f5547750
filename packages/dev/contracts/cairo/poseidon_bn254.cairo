use array::{ArrayTrait, SpanTrait};
use option::OptionTrait;
use sotto::bn254_arithmetic::{Element, Sum, SumTrait, element_of, multiply, number_of, sum_of, zero_sum};
use sotto::poseidon_constants as constants;

#[derive(Copy, Drop)]
struct State {
    a: Element,
    b: Element,
    c: Element,
}

/// circomlib's Poseidon of two numbers below r, over BN254's scalar field: eight rounds in which all three elements go
/// through x^5, four before and four after 57 rounds in which one does. How the latter become a recurrence is told where
/// its constants are derived, in `scripts/poseidon-constants.mjs`.
fn poseidon2(left: u256, right: u256) -> u256 {
    let mut additions = constants::first_additions().span();
    let state = State {
        a: constants::first(),
        b: input(left, next(ref additions)),
        c: input(right, next(ref additions)),
    };
    let state = full_rounds(pow5_of(state), additions);
    let state = partial_rounds(state);
    let state = full_rounds(pow5_of(state), constants::last_additions().span());
    number_of(
        zero_sum()
            .plus(constants::output_0(), state.a)
            .plus(constants::output_1(), state.b)
            .plus(constants::output_2(), state.c)
            .reduced()
    )
}

/// A number as an element of the state, with what the first round adds.
fn input(number: u256, addition: Element) -> Element {
    sum_of(addition).plus(element_of(number), constants::input()).reduced()
}

/// Rounds that mix, add and raise; the state comes and goes raised.
fn full_rounds(mut state: State, mut additions: Span<Element>) -> State {
    loop {
        if additions.is_empty() {
            break state;
        }
        let a = mixed(
            next(ref additions), constants::mds_0_0(), constants::mds_0_1(), constants::mds_0_2(), state
        );
        let b = mixed(
            next(ref additions), constants::mds_1_0(), constants::mds_1_1(), constants::mds_1_2(), state
        );
        let c = mixed(
            next(ref additions), constants::mds_2_0(), constants::mds_2_1(), constants::mds_2_2(), state
        );
        state = pow5_of(State { a: a.reduced(), b: b.reduced(), c: c.reduced() });
    }
}

/// From the raised state of the last full round before to the state that the first one after raises.
fn partial_rounds(state: State) -> State {
    let s0 = mixed(
        constants::entry_addition_0(),
        constants::entry_0_0(),
        constants::entry_0_1(),
        constants::entry_0_2(),
        state
    )
        .reduced();
    let u0 = pow5(s0);
    let s1 = mixed(
        constants::entry_addition_1(),
        constants::entry_1_0(),
        constants::entry_1_1(),
        constants::entry_1_2(),
        state
    )
        .plus(constants::start_0(), u0)
        .reduced();
    let u1 = pow5(s1);
    let s2 = mixed(
        constants::entry_addition_2(),
        constants::entry_2_0(),
        constants::entry_2_1(),
        constants::entry_2_2(),
        state
    )
        .plus(constants::start_1(), u1)
        .plus(constants::start_2(), u0)
        .reduced();

    let mut additions = constants::partial_additions().span();
    let (mut s, mut previous_s, mut u, mut previous_u) = (s2, s1, u1, u0);
    loop {
        if additions.is_empty() {
            break;
        }
        let newest_u = pow5(s);
        let next_s = sum_of(next(ref additions))
            .plus(constants::recurrence_0(), newest_u)
            .plus(constants::recurrence_1(), u)
            .plus(constants::recurrence_2(), previous_u)
            .plus(constants::recurrence_3(), s)
            .plus(constants::recurrence_4(), previous_s)
            .reduced();
        previous_u = u;
        u = newest_u;
        previous_s = s;
        s = next_s;
    };
    State {
        a: s,
        b: sum_of(constants::exit_addition_0())
            .plus(constants::exit_0_0(), previous_u)
            .plus(constants::exit_0_1(), u)
            .plus(constants::exit_0_2(), previous_s)
            .plus(constants::exit_0_3(), s)
            .reduced(),
        c: sum_of(constants::exit_addition_1())
            .plus(constants::exit_1_0(), previous_u)
            .plus(constants::exit_1_1(), u)
            .plus(constants::exit_1_2(), previous_s)
            .plus(constants::exit_1_3(), s)
            .reduced(),
    }
}

fn mixed(
    addition: Element, of_a: Element, of_b: Element, of_c: Element, state: State
) -> Sum {
    sum_of(addition).plus(of_a, state.a).plus(of_b, state.b).plus(of_c, state.c)
}

fn pow5_of(state: State) -> State {
    State { a: pow5(state.a), b: pow5(state.b), c: pow5(state.c) }
}

fn pow5(value: Element) -> Element {
    let square = multiply(value, value);
    multiply(multiply(square, square), value)
}

fn next(ref additions: Span<Element>) -> Element {
    *additions.pop_front().unwrap()
}
