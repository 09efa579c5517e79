#!/usr/bin/env python3
"""Lists what the programs are built from: `LICENCES.txt`, the licence texts of all dependencies, and `grundy.cdx.json`, a
bill of materials in the format of CycloneDX 1.5. Usage: dist/inventory.py FOLDER [TARGET]

It reads `cargo metadata` and the sources that cargo has downloaded. It fails if a dependency has no licence, or one that does
not permit what ours do (CONTRIBUTING.md).
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = {"grundy", "grundy-board", "grundy-cluster"}
PERMISSIVE = {"MIT", "MIT-0", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "ISC", "Zlib",
              "Unicode-3.0", "Unlicense", "0BSD", "BSL-1.0", "CC0-1.0"}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    target = sys.argv[2] if len(sys.argv) > 2 else "x86_64-unknown-linux-gnu"
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target]
    found = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    sums = {(package["name"], package["version"]): package.get("checksum")
            for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]}

    # What is linked into the programs: not what only tests or build scripts use.
    linked, open_ = set(), [id for id, package in packages.items() if package["name"] in PROGRAMS]
    while open_:
        if (id := open_.pop()) not in linked:
            linked.add(id)
            open_ += [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
    others = sorted((packages[id] for id in linked if packages[id]["source"]), key=lambda p: (p["name"], p["version"]))
    faults, texts, components = [], collections.defaultdict(list), []
    for package in others:
        name, version, licence = package["name"], package["version"], package["license"] or ""
        # Of each part one of the alternatives must do.
        parts = [re.split(r"\s+OR\s+|/", part.replace("(", "").replace(")", "")) for part in licence.split(" AND ")]
        if not all(any(word.strip() in PERMISSIVE for word in words) for words in parts):
            faults.append(f"{name} {version}: licence {licence or 'not named'}")
        place = pathlib.Path(package["manifest_path"]).parent
        for file in sorted(place.glob("*")):
            if re.match(r"(?i)(licen[cs]e|copying|notice|unlicense|copyright)", file.name) and file.is_file():
                texts[file.read_text(errors="replace").strip()].append(f"{name} {version}")
        component = {"type": "library", "name": name, "version": version, "purl": f"pkg:cargo/{name}@{version}",
                     "licenses": [{"expression": licence.replace("/", " OR ")}]}
        if sums.get((name, version)):
            component["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
        components.append(component)
    if faults:
        sys.exit("\n".join(faults))
    folder.mkdir(parents=True, exist_ok=True)
    parts = ["grundy is licensed under MIT OR Apache-2.0. Its programs contain these libraries:\n",
             *(f"{package['name']} {package['version']}: {package['license']}" for package in others), ""]
    for text, names in sorted(texts.items(), key=lambda item: item[1]):
        parts += ["-" * 80, f"Of {', '.join(sorted(set(names)))}:\n", text, ""]
    (folder / "LICENCES.txt").write_text("\n".join(parts))
    own = next(package for package in packages.values() if package["name"] == "grundy")
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": {"type": "application", "name": "grundy", "version": own["version"],
                                       "licenses": [{"expression": own["license"]}]}},
            "components": components}
    (folder / "grundy.cdx.json").write_text(json.dumps(bill, indent=1) + "\n")
    print(f"{len(others)} libraries, {len(texts)} licence texts")


if __name__ == "__main__":
    main()
