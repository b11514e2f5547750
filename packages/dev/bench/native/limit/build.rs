//! Tells the program which compiler made it.
use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").expect("cargo names the compiler");
    let version = Command::new(compiler)
        .arg("--version")
        .output()
        .expect("the compiler runs");
    let text = String::from_utf8(version.stdout).expect("its version is a text");
    println!("cargo:rustc-env=RUSTC_VERSION={}", text.trim());
}
