/**
 * Bundles the plugin: `node build.mjs` writes its main.js, `node build.mjs --check` says whether the committed one is this one.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
const plugin = fileURLToPath(new URL("../../vault_template/.obsidian/plugins/deepseedian/", import.meta.url));
const BANNER = `/*
Bundled from src/ by tests/obsidian/build.mjs; do not edit. It holds a Markdown reader whose licences stand at the end.
*/`;
const HELD = ["markdown-it", "linkify-it", "mdurl", "uc.micro", "entities", "punycode.js"];

/** The licences of what is bundled, as they ask for. */
async function licences() {
	const found = await Promise.all(HELD.map(async (name) => {
		const folder = `${here}node_modules/${name}/`;
		const file = (await readdir(folder)).find((entry) => /^licen[sc]e/i.test(entry));
		return `${name}\n\n${(await readFile(folder + file, "utf8")).replaceAll("\r", "").replaceAll("*/", "* /").trim()}`;
	}));
	return `/*\n${found.join("\n\n----\n\n")}\n*/`;
}

const done = await build({
	entryPoints: [`${plugin}src/main.js`], absWorkingDir: plugin, bundle: true, write: false, format: "cjs", platform: "browser", target: "es2022",
	external: ["obsidian", "electron", "@codemirror/*", "@lezer/*"], nodePaths: [`${here}node_modules`], banner: { js: BANNER }, footer: { js: await licences() },
	charset: "utf8", legalComments: "inline", logLevel: "warning",
});
// where a library was found is a matter of this machine
const text = done.outputFiles[0].text.replace(/^(\s*)\/\/ .*node_modules\//gm, "$1// ");
if (process.argv.includes("--check")) {
	const committed = await readFile(`${plugin}main.js`, "utf8");
	if (committed !== text) {
		console.error("main.js is not what src/ gives: run `npm run build` in tests/obsidian");
		process.exit(1);
	}
	console.log(`main.js is what src/ gives: ${text.length} characters`);
} else {
	await writeFile(`${plugin}main.js`, text);
	console.log(`wrote main.js: ${text.length} characters`);
}
