// A reporter that ends the run with the reason of each failure, also of those that a second try mended, and one line,
// `N passed, N failed`: whoever sees only the end of the output learns what failed and why.

import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase } from "@playwright/test/reporter";

/** Lines of an error that say what was expected and seen, and where; a call log follows them. */
const maxLines = 14;

export default class ClosingLine implements Reporter {
  #tests = new Set<TestCase>();

  onTestBegin(test: TestCase): void {
    this.#tests.add(test);
  }

  onEnd(): void {
    const failed = [...this.#tests].filter((test) => !test.ok());
    const flaky = [...this.#tests].filter((test) => test.outcome() === "flaky");
    for (const test of flaky) console.log(`\nPassed only at the second try: ${title(test)}\n${reasons(test)}`);
    for (const test of failed) console.log(`\n${title(test)}\n${reasons(test)}`);
    console.log(`\n${this.#tests.size - failed.length} passed, ${failed.length} failed`);
  }
}

function title(test: TestCase): string {
  return test.titlePath().filter(Boolean).join(" › ");
}

function reasons(test: TestCase): string {
  const errors = test.results.flatMap((result) => result.errors);
  return errors
    .map(({ message = "", location }) => {
      const lines = stripVTControlCharacters(message).split("\n").filter(Boolean).slice(0, maxLines);
      return [...lines, location && `at ${location.file}:${location.line}`].filter(Boolean).join("\n");
    })
    .join("\n");
}
