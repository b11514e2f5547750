use array::{ArrayTrait, SpanTrait};
use option::OptionTrait;
use sotto::empty_subtrees::empty_subtrees;
use sotto::poseidon_bn254::poseidon2;
use starknet::storage_access::{
    Store, StorageBaseAddress, storage_base_address_from_felt252
};
use starknet::SyscallResultTrait;
use traits::{Into, TryInto};

/// How many leaves a tree takes: ten levels above the leaves.
const TREE_CAPACITY: u32 = 1024;
/// How many of the newest roots a withdrawal may prove against.
const KNOWN_ROOTS: u32 = 30;

/// Where the tree lies in the storage of the contract that uses it: `starknet_keccak('merkle_tree')`. From there: the next
/// index, the last roots (two slots each), the newest filled subtree of each level (two slots each).
const TREE_ADDRESS: felt252 = 0xb2c0e2e127c481eef074c45917a20ba9b8aa221653aa63c65059257794b19;
const ROOTS_AT: u32 = 1;
const SUBTREES_AT: u32 = 61;

/// How many leaves there are, which is the index of the next one.
fn next_leaf_index() -> u32 {
    Store::<u32>::read(0, tree()).unwrap_syscall()
}

/// Appends a leaf, makes the new root the last known one and gives the leaf's index. The caller sees to it that there is
/// room. Costs ten hashes however many leaves there are.
fn insert_leaf(leaf: u256) -> u32 {
    let leaf_index = next_leaf_index();
    let zeros = empty_subtrees();
    let mut zeros = zeros.span();
    // The last one is the root of the empty tree.
    zeros.pop_back();
    let mut node = leaf;
    let mut position = leaf_index;
    let mut slot = SUBTREES_AT;
    loop {
        match zeros.pop_front() {
            Option::Some(zero) => {
                if position % 2 == 0 {
                    write_number(slot, node);
                    node = poseidon2(node, *zero);
                } else {
                    node = poseidon2(read_number(slot), node);
                }
                position = position / 2;
                slot += 2;
            },
            Option::None(()) => {
                break;
            },
        };
    };
    Store::<u32>::write(0, tree(), leaf_index + 1).unwrap_syscall();
    write_number(root_slot(leaf_index + 1), node);
    leaf_index
}

fn last_root() -> u256 {
    root_after(next_leaf_index())
}

/// Whether a root is one of the last thirty; the empty tree's root counts as the first of them.
fn is_known_root(root: u256) -> bool {
    let newest = next_leaf_index();
    let mut back = 0;
    loop {
        if back == KNOWN_ROOTS || back > newest {
            break false;
        }
        if root_after(newest - back) == root {
            break true;
        }
        back += 1;
    }
}

/// The root after so many leaves; only the last thirty are kept.
fn root_after(leaves: u32) -> u256 {
    if leaves == 0 {
        let zeros = empty_subtrees();
        return *zeros.at(zeros.len() - 1);
    }
    read_number(root_slot(leaves))
}

fn root_slot(leaves: u32) -> u32 {
    ROOTS_AT + 2 * (leaves % KNOWN_ROOTS)
}

fn tree() -> StorageBaseAddress {
    storage_base_address_from_felt252(TREE_ADDRESS)
}

fn read_number(slot: u32) -> u256 {
    Store::<u256>::read_at_offset(0, tree(), offset(slot)).unwrap_syscall()
}

fn write_number(slot: u32, number: u256) {
    Store::<u256>::write_at_offset(0, tree(), offset(slot), number).unwrap_syscall()
}

fn offset(slot: u32) -> u8 {
    let slot: felt252 = slot.into();
    slot.try_into().unwrap()
}
