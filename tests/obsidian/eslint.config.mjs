/** The rules of Obsidian's own review, for plain JavaScript; run inside the plugin's folder, whose manifest they read. */
import obsidianmd from "eslint-plugin-obsidianmd";
import globals from "globals";

const here = new URL(".", import.meta.url).pathname;

export default [
	{ ignores: ["main.js", "memory/**"] },
	...obsidianmd.configs.recommended,
	{
		files: ["src/**/*.js"],
		languageOptions: { globals: { ...globals.browser }, parserOptions: { project: process.env.BENCH_TSCONFIG ?? `${here}tsconfig.json`, tsconfigRootDir: here } },
	},
];
