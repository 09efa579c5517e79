// Runs the module: one question in, one answer out. The module asks a few calls of WASI; it has no files.
"use strict";
const BAD_FILE = 8;
const NOT_HERE = 52;
let compiled;
let instance;
let question = new Uint8Array();
let said = [];
let asking = 0;

const memory = () => new DataView(instance.exports.memory.buffer);
const bytes = (at, length) => new Uint8Array(instance.exports.memory.buffer, at, length);
const buffers = (list, count) => Array.from({ length: count }, (_, i) => {
  const view = memory();
  return bytes(view.getUint32(list + 8 * i, true), view.getUint32(list + 8 * i + 4, true));
});
const empty = (count, size) => { memory().setUint32(count, 0, true); memory().setUint32(size, 0, true); return 0; };

const wasi = {
  args_get: () => 0,
  args_sizes_get: empty,
  environ_get: () => 0,
  environ_sizes_get: empty,
  clock_time_get: (clock, _precision, at) => {
    const millis = clock === 0 ? Date.now() : performance.now();
    memory().setBigUint64(at, BigInt(Math.round(millis * 1e6)), true);
    return 0;
  },
  random_get: (at, length) => {
    // A call fills at most 65,536 bytes.
    for (let done = 0; done < length; done += 65536) { crypto.getRandomValues(bytes(at + done, Math.min(65536, length - done))); }
    return 0;
  },
  sched_yield: () => 0,
  fd_read: (file, list, count, readAt) => {
    if (file !== 0) { return BAD_FILE; }
    let read = 0;
    for (const into of buffers(list, count)) {
      const piece = question.subarray(0, into.length);
      into.set(piece);
      question = question.subarray(piece.length);
      read += piece.length;
    }
    memory().setUint32(readAt, read, true);
    return 0;
  },
  fd_write: (file, list, count, writtenAt) => {
    let written = 0;
    for (const from of buffers(list, count)) {
      if (file === 1) { said.push(from.slice()); }
      if (file === 2) { console.error(new TextDecoder().decode(from)); }
      written += from.length;
    }
    memory().setUint32(writtenAt, written, true);
    if (file === 1) { events(); }
    return 0;
  },
  proc_exit: (code) => { throw new Error(`the module ended with ${code}`); },
};

// What is said before the answer, a line each: it is passed on at once.
const events = () => {
  for (;;) {
    const first = said[0];
    if (!first || new TextDecoder().decode(first.subarray(0, 6)) !== "event ") { return; }
    const all = joined();
    const end = all.indexOf(10);
    if (end < 0) { said = [all]; return; }
    const [, name, data] = /^event (\S+) (.*)$/.exec(new TextDecoder().decode(all.subarray(0, end)));
    said = end + 1 < all.length ? [all.subarray(end + 1)] : [];
    postMessage({ id: asking, event: name, data });
  }
};
const joined = () => {
  const all = new Uint8Array(said.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of said) { all.set(piece, at); at += piece.length; }
  return all;
};

const start = () => {
  const imports = {};
  for (const { module, name } of WebAssembly.Module.imports(compiled)) {
    (imports[module] ??= {})[name] = wasi[name] ?? (name.startsWith("fd_") ? () => BAD_FILE : () => NOT_HERE);
  }
  instance = new WebAssembly.Instance(compiled, imports);
  instance.exports._initialize?.();
};

addEventListener("message", ({ data }) => {
  if (data.module) { compiled = data.module; return; }
  asking = data.id;
  question = new TextEncoder().encode(data.request);
  said = [];
  try {
    if (!instance) { start(); }
    instance.exports.answer();
    const [head, type, location, ...rest] = new TextDecoder().decode(joined()).split("\n");
    postMessage({ id: asking, status: Number(head.split(" ")[1]), type, location, text: rest.join("\n") });
  } catch (error) {
    console.error(error);
    const text = JSON.stringify({ error: `the answer broke off: ${error.message}` });
    postMessage({ id: asking, status: 500, type: "application/json", location: "", text, broken: true });
  }
});
