import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["**/node_modules/", "**/bin/"] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    files: ["**/*.{ts,mts,tsx}"],
    // One program for everything: with one for each example the declarations of the clouds' SDKs would be held many times.
    languageOptions: { parserOptions: { project: "./tsconfig.json", tsconfigRootDir: import.meta.dirname } },
    rules: {
      "max-lines": ["error", 300],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "no-restricted-syntax": [
        "error",
        { selector: "SpreadElement > ObjectExpression", message: "Write the properties without the inner object." },
        { selector: "SpreadElement > ArrayExpression", message: "Write the elements without the inner array." },
      ],
    },
  },
  {
    // The web page of an instance, which runs in a browser.
    files: ["provider/console/page/*.{ts,tsx}"],
    languageOptions: {
      parserOptions: { project: "./provider/console/page/tsconfig.json", tsconfigRootDir: import.meta.dirname },
    },
  },
  {
    // A describe() block is one long function by nature, and mocha's promises are returned, not awaited.
    files: ["tests/**/*.ts"],
    rules: { "max-lines-per-function": "off", "max-len": ["error", { code: 120, ignoreUrls: true }] },
  },
  {
    files: ["**/*.mjs"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
  {
    // The pages of the site, in a browser.
    files: ["docs/.vitepress/theme/*.mjs"],
    languageOptions: {
      globals: { document: "readonly", localStorage: "readonly", requestAnimationFrame: "readonly" },
    },
  },
);
