/** A browser with the plugin in it, for the tests: started once, a fresh Obsidian for each test. */
import assert from "node:assert/strict";
import { promises as fs } from "node:fs";
import { fileURLToPath } from "node:url";
import { after, before } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { bridge } from "./bridge.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const plugin = `${here}../../vault_template/.obsidian/plugins/deepseedian/`;
export const { BENCH_VAULT: vault, BENCH_SHOTS: shots, DEEPSEEDIAN_RUNTIME_DIR: runtime } = process.env;
let browser;
export let served;

before(async () => {
	const harness = await build({ entryPoints: [`${here}harness.js`], bundle: true, write: false, format: "esm", target: "es2022", logLevel: "error" });
	served = await bridge({ "/": "", "/page.html": await fs.readFile(`${here}page.html`, "utf8"), "/harness.js": harness.outputFiles[0].text,
		"/main.js": await fs.readFile(`${plugin}main.js`, "utf8"), "/styles.css": await fs.readFile(`${plugin}styles.css`, "utf8") });
	browser = await chromium.launch({ executablePath: process.env.BENCH_CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
});

after(async () => {
	await browser?.close();
	served?.close();
});

/** A fresh Obsidian; whatever goes wrong inside it fails the test. */
export async function opened(t, { language = "en", width = 1280, storage = {} } = {}) {
	const context = await browser.newContext({ viewport: { width, height: 760 } });
	const page = await context.newPage();
	page.setDefaultTimeout(15_000);
	const outside = [];
	page.on("request", (request) => !request.url().startsWith(served.url) && !request.url().startsWith("data:") && outside.push(request.url()));
	await page.addInitScript((stored) => Object.entries(stored).forEach(([key, value]) => localStorage.setItem(key, JSON.stringify(value))),
		{ "deepseedian-program": process.env.BENCH_PROGRAM, ...storage });
	await page.goto(`${served.url}/page.html?vault=${encodeURIComponent(vault)}&runtime=${encodeURIComponent(runtime)}&language=${language}`);
	await page.waitForSelector("body[data-ready]");
	t.after(async () => {
		if (!t.passed) {
			await page.screenshot({ path: `${shots}/failed-${t.name.replace(/\W+/g, "-").slice(0, 40)}.png` }).catch(() => undefined);
		}
		const faults = await page.evaluate(() => [window.faults ?? [], window.runs ?? []]).catch(() => [[], []]);
		await context.close();
		assert.deepEqual(faults, [[], []]);
		assert.deepEqual(outside, [], "nothing goes anywhere but to the daemon");
	});
	return page;
}

export const command = (page, id) => page.evaluate((name) => window.bench.command(name), id);
export const call = (page, method, path, body) => page.evaluate(([m, p, b]) => window.bench.plugin.client.call(m, p, b), [method, path, body]);

export async function until(holds, seconds = 15) {
	for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 30))) {
		if (await holds()) {
			return;
		}
	}
	assert.fail("waited in vain");
}
