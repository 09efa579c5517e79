// Runs the module: one question in, one answer out. The module asks a few calls of WASI. It has at most one file, which is
// loaded when it is opened.
"use strict";
const FOLDER = 3;
const FILE = 4;
const BAD_FILE = 8;
const NO_FILE = 44;
const NOT_HERE = 52;
let compiled;
let instance;
let question = new Uint8Array();
let said = [];
let asking = 0;
// The file's name, and what is still to be read of it.
let fileName = null;
let file = new Uint8Array();

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
  fd_prestat_get: (from, at) => {
    if (from !== FOLDER) { return BAD_FILE; }
    memory().setUint32(at, 0, true);
    memory().setUint32(at + 4, 1, true);
    return 0;
  },
  fd_prestat_dir_name: (_, at) => { bytes(at, 1).fill(47); return 0; },
  fd_fdstat_get: (from, at) => {
    if (from !== FOLDER) { return BAD_FILE; }
    bytes(at, 8).fill(0).set([3]);
    bytes(at + 8, 16).fill(255);
    return 0;
  },
  path_open: (_folder, _how, at, length, _flags, _rights, _inherited, _more, into) => {
    if (new TextDecoder().decode(bytes(at, length)) !== fileName) { return NO_FILE; }
    const request = new XMLHttpRequest();
    request.open("GET", fileName, false);
    request.responseType = "arraybuffer";
    try { request.send(); } catch { return NO_FILE; }
    if (request.status !== 200) { return NO_FILE; }
    file = new Uint8Array(request.response);
    memory().setUint32(into, FILE, true);
    return 0;
  },
  fd_close: () => 0,
  fd_read: (from, list, count, readAt) => {
    if (from !== 0 && from !== FILE) { return BAD_FILE; }
    let rest = from ? file : question;
    let read = 0;
    for (const into of buffers(list, count)) {
      const piece = rest.subarray(0, into.length);
      into.set(piece);
      rest = rest.subarray(piece.length);
      read += piece.length;
    }
    if (from) { file = rest; } else { question = rest; }
    memory().setUint32(readAt, read, true);
    return 0;
  },
  fd_write: (to, list, count, writtenAt) => {
    let written = 0;
    for (const from of buffers(list, count)) {
      if (to === 1) { said.push(from.slice()); }
      if (to === 2) { console.error(new TextDecoder().decode(from)); }
      written += from.length;
    }
    memory().setUint32(writtenAt, written, true);
    if (to === 1) { events(); }
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
  if (data.module) { compiled = data.module; fileName = data.fileName; return; }
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
