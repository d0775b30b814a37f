// A reporter that ends the run with one line, `N passed, N failed`, easy to find at the end of the output.

import type { Reporter, TestCase } from "@playwright/test/reporter";

export default class ClosingLine implements Reporter {
  #tests: TestCase[] = [];

  onTestBegin(test: TestCase): void {
    this.#tests.push(test);
  }

  onEnd(): void {
    const passed = this.#tests.filter((test) => test.ok()).length;
    console.log(`\n${passed} passed, ${this.#tests.length - passed} failed`);
  }
}
