/// <reference types="vitest/config" />
// How the user interface is built: into ../embed/ui, below /app/, without any inline script (the server's
// Content-Security-Policy forbids them), with a brotli and a gzip copy of every text file. Those with a hash in their
// name are kept only as these copies; the server unpacks one for a client that takes neither.
// Knows nothing of the server but the address of the one that `make dev` starts.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";

// The unit tests run where the clocks are put forward and back: a zone is a process's, no single test's.
if (process.env.VITEST !== undefined) process.env.TZ = "Europe/Berlin";

const outDir = join(import.meta.dirname, "../embed/ui");
const server = process.env.FLUGLOG_DEV_SERVER ?? "http://127.0.0.1:8080";

function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    enforce: "post",
    closeBundle() {
      for (const entry of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
        if (!/\.(js|css|svg|html|webmanifest)$/.test(entry)) continue;
        const file = join(outDir, entry);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
        if (entry.startsWith("assets/")) rmSync(file);
      }
    },
  };
}

/**
 * The style sheets of components are loaded in an order that nobody wrote down, and the first one that names a layer
 * gives it its rank: each begins with the ranks of all.
 */
function layerOrder(): Plugin {
  const order = /^@layer [^;{]+;/m.exec(
    readFileSync(join(import.meta.dirname, "src/styles/index.css"), "utf8"),
  );
  if (order === null) throw new Error("src/styles/index.css doesn't say the order of the layers");
  return {
    name: "layer-order",
    enforce: "pre",
    transform: (code, id) => (id.endsWith(".module.css") ? order[0] + code : null),
  };
}

/** Of the library's style sheet without what no page has. */
const unused = new RegExp(
  [
    "::-ms-",
    ":host",
    "dialog>article",
    String.raw`\[(?:data-tooltip|aria-busy|dir=rtl|role=search|aria-invalid=false|aria-hidden=false|multiple)`,
    String.raw`\[type=(?:color|range|date|datetime-local|month|time|week|reset|file)\]`,
    String.raw`\b(?:samp|mark|blockquote|hgroup|abbr|audio|iframe|breadcrumb)\b`,
    String.raw`\b(?:sub|sup|ins|del|hr|tfoot|striped|template|optgroup|aside|h5|h6|header|footer)\b`,
  ].join("|"),
);

const trimmedLibrary = {
  postcssPlugin: "trimmed-library",
  Rule(rule: { source?: { input: { file?: string } }; selectors: string[]; remove: () => void }) {
    if (rule.source?.input.file?.includes("picocss") !== true) return;
    // What a selector only leaves out or offers beside others doesn't count.
    const isUsed = (selector: string) => !unused.test(selector.replace(/:(?:not|is|where)\([^()]*\)/g, ""));
    const used = rule.selectors.filter(isUsed);
    if (used.length === 0) rule.remove();
    else if (used.length < rule.selectors.length) rule.selectors = used;
  },
};

/**
 * A script that runs before the application is loaded: a file of its own, because the page may hold no script, and
 * named by its content, so that a browser asks for it once.
 */
function headScript(name: string, injectTo: "head-prepend" | "head"): Plugin {
  const source = readFileSync(join(import.meta.dirname, `${name}.js`), "utf8");
  const digest = createHash("sha256").update(source).digest("base64url").slice(0, 8);
  const fileName = `assets/${name}-${digest}.js`;
  return {
    name: `${name}-script`,
    generateBundle() {
      this.emitFile({ type: "asset", fileName, source });
    },
    transformIndexHtml: (_page, { server: dev }) => [
      { tag: "script", attrs: { src: `/app/${dev ? `${name}.js` : fileName}` }, injectTo },
    ],
  };
}

/**
 * The worker of the browser, with the list of what it keeps, and the one in its place that removes it. Both are named
 * for good: a browser asks for them by these names.
 */
function workers(): Plugin {
  const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
  return {
    name: "workers",
    apply: "build",
    closeBundle() {
      const names = readdirSync(outDir, { recursive: true, encoding: "utf8" }).filter(
        (name) =>
          // The reader of PDFs is for uploads, which need the network anyway.
          /\.\w+$/.test(name) && !/\/pdf/.test(name),
      );
      const digest = createHash("sha256");
      for (const name of names.sort()) digest.update(name).update(readFileSync(join(outDir, name)));
      const page = readFileSync(join(outDir, "index.html"), "utf8");
      const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];
      if (script === undefined) throw new Error("index.html names no script");
      const version = digest.digest("base64url").slice(0, 12);
      const files = names.map((name) => `/app/${name}`);
      const shell = JSON.stringify({ version, script, files });
      writeFileSync(
        join(outDir, "sw.js"),
        read("worker.js").replace("__SHELL__", () => shell),
      );
      writeFileSync(join(outDir, "sw-off.js"), read("noWorker.js"));
    },
  };
}

/** The screens that are opened first most often, and what stands beside them. */
const firstScreens = [
  "login/LoginPage",
  "flights/FlightList",
  "equipment/EquipmentList",
  "layout/ProofsLink",
  "layout/Shortcuts",
].map((name) => join(import.meta.dirname, `src/screens/${name}.tsx`));

/** For each of the first screens, the modules that it imports, directly or through others. */
const importsOf = new Map<string, Set<string>>();

function findImports(screen: string, context: Rolldown.ChunkingContext): Set<string> {
  const imports = new Set([screen]);
  // A set's iteration also visits what is added meanwhile.
  for (const id of imports) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) imports.add(imported);
  }
  importsOf.set(screen, imports);
  return imports;
}

/**
 * Names the file of a module that first screens need: one file for each set of them. Otherwise each module that
 * another screen needs too would be a file of its own: 25 requests for the packs.
 */
function fileOfFirstScreens(id: string, context: Rolldown.ChunkingContext): string | null {
  const needing = firstScreens.filter((screen) =>
    (importsOf.get(screen) ?? findImports(screen, context)).has(id),
  );
  return needing.length === 0 ? null : needing.map((screen) => basename(screen, ".tsx")).join("-");
}

export default defineConfig({
  base: "/app/",
  plugins: [
    // English is the fallback of the library: German alone crashes in browsers that speak another language.
    { ...optimizeLocales.vite({ locales: ["de-DE", "en-US"] }), enforce: "pre" },
    react(),
    layerOrder(),
    headScript("ask", "head-prepend"),
    // Before the first paint, and after the page's own colours.
    headScript("look", "head"),
    workers(),
    precompress(),
  ],
  // No two style sheets have one name. Their names compress better than hashes.
  css: {
    postcss: { plugins: [trimmedLibrary] },
    modules: { generateScopedName: (name, file) => `${basename(file, ".module.css")}_${name}` },
  },
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Of the icons only their outlines are used, not the components that the same files make of them.
    rolldownOptions: {
      treeshake: { manualPureFunctions: ["createReactComponent"] },
      output: {
        // One file for what every screen needs, and home: a request costs a phone more than the bytes of a small
        // module.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "app", tags: ["$initial"], priority: 1 },
            { name: fileOfFirstScreens, debugName: "first screens" },
          ],
        },
      },
    },
    // The first versions with light-dark(), so that it isn't rewritten.
    target: ["chrome123", "firefox128", "safari17.5"],
    // One style sheet for all screens: with each that came later every element's styles would be found anew, and on a
    // slow phone that took a quarter of the processor's time.
    cssCodeSplit: false,
    cssTarget: ["chrome123", "firefox128", "safari17.5"],
  },
  worker: { format: "es" },
  server: {
    // Vite's proxy keeps the Host header, so the server's check of Origin against Host holds.
    proxy: Object.fromEntries(
      ["/app/api", "/app/health", "/app/legal"].map((path) => [path, { target: server }]),
    ),
  },
  // One page environment for many files, each in a context of its own: a fifth of the time.
  test: { environment: "happy-dom", pool: "vmThreads", include: ["src/**/*.test.{ts,tsx}"] },
});
