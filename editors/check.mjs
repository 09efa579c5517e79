// Tokenizes rules files by the TextMate grammar and fails where a word, number or sign has no scope of its own.
// Usage: node check.mjs MODULES FILE.. (MODULES: the node_modules folder with vscode-textmate and vscode-oniguruma)
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";

const [modules, ...files] = process.argv.slice(2);
const require = createRequire(path.resolve(modules, "check.js"));
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");
const grammarFile = new URL("./vscode/syntaxes/rbg.tmLanguage.json", import.meta.url);
const wasm = fs.readFileSync(path.join(modules, "vscode-oniguruma/release/onig.wasm"));
await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
    createOnigString: (text) => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, "utf8"), "rbg.json"),
});
const grammar = await registry.loadGrammar("source.rbg");
let faults = 0;
for (const file of files) {
  let stack = textmate.INITIAL;
  const sections = new Set();
  const lines = fs.readFileSync(file, "utf8").split("\n");
  lines.forEach((line, number) => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, stack);
    stack = ruleStack;
    for (const { startIndex, endIndex, scopes } of tokens) {
      const text = line.slice(startIndex, endIndex);
      if (scopes.at(-1) === "keyword.control.section.rbg") sections.add(text);
      if (scopes.length > 1 || !text.trim()) continue;
      console.log(`${file}:${number + 1}:${startIndex + 1}: no scope for \`${text}\``);
      faults += 1;
    }
  });
  for (const section of ["players", "pieces", "variables", "board", "rules"]) {
    if (sections.has(section)) continue;
    console.log(`${file}: section \`#${section}\` is not recognised`);
    faults += 1;
  }
}
console.log(`TextMate: ${files.length} files, ${faults} faults`);
process.exit(faults ? 1 : 0);
