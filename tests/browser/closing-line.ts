// A reporter that ends the run with the reason of each failure and one line, `N passed, N failed`: whoever sees only the
// end of the output learns what failed and why.

import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase } from "@playwright/test/reporter";

/** Lines of an error that say what was expected and seen, and where; a call log follows them. */
const maxLines = 14;

export default class ClosingLine implements Reporter {
  #tests: TestCase[] = [];

  onTestBegin(test: TestCase): void {
    this.#tests.push(test);
  }

  onEnd(): void {
    const failed = this.#tests.filter((test) => !test.ok());
    for (const test of failed) console.log(`\n${test.titlePath().filter(Boolean).join(" › ")}\n${reasons(test)}`);
    console.log(`\n${this.#tests.length - failed.length} passed, ${failed.length} failed`);
  }
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
