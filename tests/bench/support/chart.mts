// Draws lines over a logarithmic scale as SVG, in colours that are to be seen on a light and on a dark page. Knows no
// figure.

export interface Panel {
  title: string;
  lines: { name: string; values: number[] }[];
}

const [panelWidth, panelHeight, left, top, bottom] = [300, 240, 48, 34, 34];
const colours = ["#2f81f7", "#d29922", "#3fb950", "#db61a2"];

/** The panels beside each other; both axes are logarithmic, the lower one has `counts`. */
export function chart(counts: number[], panels: Panel[]): string {
  // The last label is wider than its place.
  const width = panels.length * panelWidth + 16;
  const style = "font: 12px system-ui, sans-serif; fill: #888";
  const drawn = panels.map(
    (panel, at) => `<g transform="translate(${at * panelWidth} 0)">${drawPanel(counts, panel)}</g>`,
  );
  const size = `viewBox="0 0 ${width} ${panelHeight + 60}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} style="${style}">\n${drawn.join("\n")}\n</svg>\n`;
}

function drawPanel(counts: number[], { title, lines }: Panel): string {
  const values = lines.flatMap((line) => line.values).filter((value) => value > 0);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const across = panelWidth - left - 20;
  const down = panelHeight - top - bottom;
  const x = (at: number) => round(left + (across * at) / Math.max(counts.length - 1, 1));
  const y = (value: number) => round(top + down * (1 - (Math.log10(value) - low) / Math.max(high - low, 1)));
  const grid = Array.from({ length: high - low + 1 }, (_, step) => {
    const height = y(10 ** (low + step));
    const said = (10 ** (low + step)).toLocaleString("en");
    const label = `<text x="${left - 6}" y="${height + 4}" text-anchor="end">${said}</text>`;
    return `<path d="M${left} ${height}h${across}" stroke="#8884"/>${label}`;
  });
  const axis = counts.map(
    (count, at) =>
      `<text x="${x(at)}" y="${panelHeight - bottom + 18}" text-anchor="middle">${count.toLocaleString("en")}</text>`,
  );
  const drawn = lines.map(({ name, values }, number) => {
    const colour = colours[number % colours.length];
    const points = values.map((value, at) => `${x(at)},${y(value)}`).join(" ");
    const legend = `<text x="${left}" y="${panelHeight + number * 15}" style="fill: ${colour}">${name}</text>`;
    return `<polyline points="${points}" fill="none" stroke="${colour}" stroke-width="2"/>${legend}`;
  });
  const head = `<text x="${left}" y="18" style="font-weight: 600">${title}</text>`;
  return [head, ...grid, ...axis, ...drawn].join("\n");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
