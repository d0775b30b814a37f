// A page of all tokens with a sample of each, for those who develop (`make dev`, /app/tokens.html). No part of what is
// built.
import "./index.css";
import "./stage.css";

const looks = { "": "Wie das Gerät", hell: "Hell", dunkel: "Dunkel", sonne: "Sonne" };

const samples: { title: string; names: RegExp; sample: (name: string) => Partial<CSSStyleDeclaration> }[] = [
  {
    title: "Letters",
    names: /^--(text-(small|medium|body|large|larger|title|figure|display|hero)|paper-\w+)$/,
    sample: (name) => ({ fontSize: `var(${name})`, lineHeight: "1.2" }),
  },
  {
    title: "Distances",
    names: /^--(space-\w+|chart-gutter|icon-room)$/,
    sample: (name) => ({ inlineSize: `var(${name})`, blockSize: "1rem", background: "var(--accent)" }),
  },
  {
    title: "Rows and targets",
    names: /^--(row|target)(-\w+)?$/,
    sample: (name) => ({
      inlineSize: "4rem",
      blockSize: `var(${name})`,
      background: "var(--accent-surface)",
    }),
  },
  {
    title: "Corners",
    names: /^--radius(-\w+)?$/,
    sample: (name) => ({
      inlineSize: "4rem",
      blockSize: "3rem",
      borderRadius: `var(${name})`,
      background: "var(--accent)",
    }),
  },
  {
    title: "Lines",
    names: /^--(line-width|current-line|path-width)$/,
    sample: (name) => ({ inlineSize: "4rem", blockSize: `var(${name})`, background: "var(--text)" }),
  },
  {
    title: "Colours",
    names: /^--(?!pico-|shadow|page|form|bottom|keyboard|navigation|font$)/,
    sample: (name) => ({
      inlineSize: "4rem",
      blockSize: "2rem",
      background: `var(${name})`,
      outline: "1px solid var(--line-strong)",
    }),
  },
  {
    title: "Shadows",
    names: /^--shadow/,
    sample: (name) => ({ inlineSize: "4rem", blockSize: "2rem", boxShadow: `var(${name})` }),
  },
];

/** The names of all custom properties, in the order of the style sheets. */
function tokens(): string[] {
  const names = new Set<string>();
  const gather = (rules: CSSRuleList) => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule && rule.selectorText === ":root") {
        for (const name of rule.style) if (name.startsWith("--")) names.add(name);
      } else if ("cssRules" in rule) gather(rule.cssRules as CSSRuleList);
    }
  };
  for (const sheet of document.styleSheets) gather(sheet.cssRules);
  return [...names];
}

function element(tag: string, text: string, ...children: Node[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(text, ...children);
  return element;
}

function row(name: string, style: Partial<CSSStyleDeclaration>): HTMLElement {
  const sample = element("div", style.fontSize ? "Fluglog 24:30" : "");
  Object.assign(sample.style, style);
  const cell = document.createElement("td");
  cell.append(sample);
  const value = getComputedStyle(document.documentElement).getPropertyValue(name);
  return element("tr", "", element("td", name), element("td", value), cell);
}

function show(look: string) {
  document.documentElement.dataset.look = look;
  const select = document.createElement("select");
  for (const [value, text] of Object.entries(looks))
    select.add(new Option(text, value, false, value === look));
  select.onchange = () => show(select.value);
  const left = new Set(tokens());
  const tables = samples.map(({ title, names, sample }) => {
    const own = [...left].filter((name) => names.test(name));
    for (const name of own) left.delete(name);
    const table = element("table", "", ...own.map((name) => row(name, sample(name))));
    return element("section", "", element("h2", title), table);
  });
  document.querySelector("main")?.replaceChildren(element("h1", "Tokens"), select, ...tables);
}

show("");
