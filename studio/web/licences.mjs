// Collects the licences of everything that is bundled into one file beside the assets: that is what the licences ask for.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

/** Folders of the packages that a package needs at run time, and of theirs. */
function packages(folder, found = new Map()) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    const nested = join(folder, "node_modules", name);
    const place = existsSync(nested) ? nested : join(here, "node_modules", name);
    if (found.has(place) || !existsSync(place)) continue;
    found.set(place, JSON.parse(readFileSync(join(place, "package.json"), "utf8")));
    packages(place, found);
  }
  return found;
}

export function licenceText() {
  const parts = ["Software that is bundled with bielle studio, and its licences.\n"];
  const all = [...packages(resolve(here))].sort(([, a], [, b]) => a.name.localeCompare(b.name));
  for (const [place, about] of all) {
    const file = readdirSync(place).find((name) => /^licen[cs]e/i.test(name));
    if (!file) throw new Error(`${about.name} has no licence file`);
    parts.push(`${"=".repeat(78)}\n${about.name} ${about.version} (${about.license})\n${"=".repeat(78)}\n\n${readFileSync(join(place, file), "utf8").trim()}\n`);
  }
  return parts.join("\n");
}

/** The vite plugin that writes licences.txt. */
export function licences() {
  return {
    name: "licences",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "licences.txt", source: licenceText() });
    },
  };
}
