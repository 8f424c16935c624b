import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["node_modules"] },
  js.configs.recommended,
  ...ts.configs.strict,
  {
    files: ["**/*.{ts,tsx}"],
    rules: {
      eqeqeq: "error",
      "@typescript-eslint/no-non-null-assertion": "off", // indices that are known to be inside
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  { files: ["*.mjs", "*.js"], languageOptions: { globals: { process: "readonly", URL: "readonly" } } },
);
