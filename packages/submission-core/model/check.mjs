// Breadth-first search over every reachable state (so every trace is a shortest one), then AG EF goal by walking the fair edges backwards.
import { initial, next, broken, goal, defaults } from './model.mjs';

class Uints {
  a = new Uint32Array(1 << 16);
  n = 0;
  push(v) {
    if (this.n === this.a.length) {
      const b = new Uint32Array(this.n * 2);
      b.set(this.a);
      this.a = b;
    }
    this.a[this.n++] = v;
  }
}

/** The stronger liveness: ending a submission as expired or refused is no way out (running into the model's bound on nonces is). */
const settledOrOutOfNonces = (s, o) =>
  goal({
    ...s,
    subs: s.subs.filter(
      (r) => !(r.st === 'acc' && s.slot.every((l, L) => Math.max(l.length, s.fin[L]) >= o.maxN && !l.some((x) => x !== 0 && !x.length))),
    ),
  });

/**
 * `opts`: the model's options. Returns counts and, for each property broken anywhere, the shortest trace to it:
 * { states, edges, depth, seconds, complete, bad: { S3: { text, trace } , L: … }, seen: { witness: trace | null } }
 */
export function check(opts, { noGivingUp = false, witness = {}, limit = 15e6 } = {}) {
  const o = { ...defaults, ...opts };
  const began = Date.now();
  const index = new Map(),
    keys = [],
    parent = new Uints(),
    via = new Uints(),
    depth = new Uints(),
    from = new Uints(),
    to = new Uints();
  const good = [],
    first = {},
    seen = {};
  let edges = 0;
  const add = (s, p, v, label) => {
    const key = JSON.stringify(s);
    let id = index.get(key);
    if (id === undefined) {
      id = keys.length;
      index.set(key, id);
      keys.push(key);
      parent.push(p);
      via.push(v);
      depth.push(id ? depth.a[p] + 1 : 0);
      if (noGivingUp ? settledOrOutOfNonces(s, o) : goal(s)) good.push(id);
      for (const text of broken(s, o)) first[text.slice(0, 2)] ??= { id, text };
    }
    for (const w in witness) if (!(w in seen) && witness[w](s, label, id ? JSON.parse(keys[p]) : s)) seen[w] = { p, v };
    return id;
  };
  add(initial(o), 0, 0, '');
  for (let i = 0; i < keys.length && keys.length < limit; i++) {
    const steps = next(JSON.parse(keys[i]), o);
    edges += steps.length;
    steps.forEach(([label, fair, t], x) => {
      const j = add(t, i, x, label);
      if (fair && j !== i && !(noGivingUp && / -> end|ends, no/.test(label))) {
        from.push(i);
        to.push(j);
      }
    });
  }
  const N = keys.length,
    complete = N < limit;
  if (complete) {
    // which states can still reach the goal by fair steps alone?
    const start = new Uint32Array(N + 1);
    for (let e = 0; e < to.n; e++) start[to.a[e] + 1]++;
    for (let i = 0; i < N; i++) start[i + 1] += start[i];
    const at = start.slice(),
      back = new Uint32Array(to.n),
      can = new Uint8Array(N),
      todo = [...good];
    for (let e = 0; e < to.n; e++) back[at[to.a[e]]++] = from.a[e];
    for (const g of todo) can[g] = 1;
    while (todo.length) {
      const g = todo.pop();
      for (let e = start[g]; e < start[g + 1]; e++)
        if (!can[back[e]]) {
          can[back[e]] = 1;
          todo.push(back[e]);
        }
    }
    const stuck = can.indexOf(0); // ids grow with depth: the first is a nearest one
    if (stuck >= 0)
      first.L = { id: stuck, text: 'L: from here nothing that healthy service, node and chain do leads to "all settled, no hole"' };
  }
  const trace = (id) => {
    const path = [];
    for (; id; id = parent.a[id]) path.unshift(next(JSON.parse(keys[parent.a[id]]), o)[via.a[id]][0]);
    return path;
  };
  return {
    states: N,
    edges,
    depth: depth.a[N - 1],
    complete,
    seconds: (Date.now() - began) / 1000,
    bad: Object.fromEntries(
      Object.entries(first)
        .sort()
        .map(([p, { id, text }]) => [p, { text, trace: trace(id) }]),
    ),
    seen: Object.fromEntries(
      Object.keys(witness).map((w) => [w, w in seen ? [...trace(seen[w].p), next(JSON.parse(keys[seen[w].p]), o)[seen[w].v]?.[0]] : null]),
    ),
  };
}
