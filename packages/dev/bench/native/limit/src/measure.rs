//! Times of repeated runs, and the machine they are of.

use serde_json::{json, Value};
use std::hint::black_box;
use std::time::Instant;

const WARM_UP: usize = 20;
const RUNS: usize = 101;

pub struct Milliseconds(Vec<f64>);

impl Milliseconds {
    pub fn divided(mut self, parts: usize) -> Self {
        self.0.iter_mut().for_each(|time| *time /= parts as f64);
        self
    }

    pub fn json(&self) -> Value {
        json!({ "median": self.0[RUNS / 2], "min": self.0[0], "max": self.0[RUNS - 1] })
    }
}

pub fn measured<T>(work: impl Fn() -> T) -> Milliseconds {
    (0..WARM_UP).for_each(|_| drop(black_box(work())));
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Milliseconds(times)
}

pub fn machine() -> Value {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        info.lines()
            .find(|line| line.starts_with(name))
            .and_then(|line| line.split(": ").nth(1))
            .unwrap_or("unknown")
            .to_owned()
    };
    let day = std::process::Command::new("date").arg("+%F").output();
    json!({
        "processor": field("model name"),
        "date": day.map_or_else(|_| "unknown".into(), |out| {
            String::from_utf8_lossy(&out.stdout).trim().to_owned()
        }),
    })
}
